// Sparkline of one vital over time (x: charttime, to scale); missing values leave gaps.
import { svg } from "/static/components/dom.js";

const WIDTH = 72,
  HEIGHT = 26,
  EDGE = 4;
const scaled = (value, low, high, size) =>
  high === low ? size / 2 : EDGE + ((value - low) / (high - low)) * (size - 2 * EDGE);

function timeSpanText(minutes) {
  const whole = Math.round(minutes);
  if (whole >= 2880) return `${Math.round(whole / 1440)} days`;
  return whole >= 120 ? `${Math.floor(whole / 60)} h ${whole % 60} min` : `${whole} min`;
}

// `points`: { row, minutes, value }; value is null if nothing was recorded.
export function sparkline(title, points) {
  const ordered = [...points].sort((a, b) => a.minutes - b.minutes);
  const known = ordered.filter((one) => one.value !== null);
  const values = known.map((one) => one.value),
    low = Math.min(...values),
    high = Math.max(...values);
  const last = ordered[ordered.length - 1].minutes;
  const at = (one) => [scaled(one.minutes, 0, last, WIDTH), HEIGHT - scaled(one.value, low, high, HEIGHT)];
  let line = "",
    pen = false;
  for (const one of ordered) {
    if (one.value !== null)
      line += `${pen ? "L" : "M"}${at(one)
        .map((n) => n.toFixed(1))
        .join(" ")}`;
    pen = one.value !== null;
  }
  const missing = points.length - known.length;
  const told = `${title}: ${low === high ? low : `${low} to ${high}`} over ${timeSpanText(last)}, ${known.length} ${known.length === 1 ? "value" : "values"}${missing ? `, ${missing} missing` : ""}`;
  return svg(
    "svg",
    { class: "ab-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": told },
    svg("title", {}, told),
    svg("path", { d: line }),
    known.map((one) => svg("circle", { cx: at(one)[0], cy: at(one)[1], r: 1.8, "data-dot": one.row })),
  );
}
