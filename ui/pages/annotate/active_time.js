// Active time on an item in ms: counted only while the page is visible, at most one minute between two
// actions.
const MOST_PAUSE_MS = 60000;
let visible = !document.hidden,
  paused = false,
  since = performance.now(),
  counted = 0;

export function activeMs() {
  const now = performance.now();
  if (visible && !paused) counted += Math.min(now - since, MOST_PAUSE_MS);
  since = now;
  return Math.round(counted);
}
export function restartClock() {
  counted = 0;
  since = performance.now();
}
// While something else has the page, such as the tour.
export function pauseClock(pause) {
  activeMs();
  paused = pause;
}
document.addEventListener("visibilitychange", () => {
  activeMs();
  visible = !document.hidden;
});
