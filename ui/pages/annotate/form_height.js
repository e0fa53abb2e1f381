// The judgement form beside the item is as high as the window leaves room for, so that its buttons stay in sight and as
// little as possible of it has to be scrolled: it begins lower while what stands above it on the page is in sight.
const GAP = 8; // px, as `top` of .ab-side: above it and below it

// Keep `--ab-room` of `root`, px, as the page is scrolled and drawn.
export function keepFormHeight(root) {
  const fit = () => {
    const grid = root.querySelector(".ab-grid");
    if (!grid) return;
    const room = Math.floor(window.innerHeight - Math.max(grid.getBoundingClientRect().top, GAP) - GAP);
    root.style.setProperty("--ab-room", `${room}px`);
  };
  window.addEventListener("scroll", fit, { passive: true });
  window.addEventListener("resize", fit);
  return fit;
}

// A message above the buttons takes room from the form: the class that is chosen stays in sight.
export function keepChosenInSight(root) {
  const form = root.querySelector(".ab-decide"),
    chosen = form?.querySelector(".ab-classes [aria-pressed='true']");
  if (!chosen) return;
  const below = chosen.getBoundingClientRect().bottom + GAP - form.getBoundingClientRect().bottom;
  if (below > 0) form.scrollTop += below;
}

// Give the form the whole height of the window, if it needs it.
export function giveFormRoom(root) {
  const form = root.querySelector(".ab-decide"),
    grid = root.querySelector(".ab-grid");
  const above = grid.getBoundingClientRect().top - GAP;
  if (above > 0 && form.scrollHeight > form.clientHeight) window.scrollBy({ top: above, behavior: "instant" });
}
