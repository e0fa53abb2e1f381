// Sparkline of one vital over time (x: charttime, to scale); missing values leave gaps.
import { svg } from "/static/components/dom.js";

const WIDTH = 72,
  HEIGHT = 26,
  EDGE = 4,
  MANY = 40; // points whose dots would hide the line
const TEXTS = {
  span: "{name}: {low} to {high} over {time}, {values}",
  one: "{name}: {low} over {time}, {values}",
  missing: "{words}, {count} missing",
};
const filled = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
const scaled = (value, low, high, size) =>
  high === low ? size / 2 : EDGE + ((value - low) / (high - low)) * (size - 2 * EDGE);

function timeSpanText(minutes) {
  const whole = Math.round(minutes);
  if (whole >= 2880) return `${Math.round(whole / 1440)} days`;
  return whole >= 120 ? `${Math.floor(whole / 60)} h ${whole % 60} min` : `${whole} min`;
}

export const inTime = (points) => [...points].sort((a, b) => a.minutes - b.minutes);

// The course of a vital in words. `points`: { row, minutes, value }; value is null if nothing was recorded.
export function courseText(name, points) {
  const values = points.flatMap((one) => (one.value === null ? [] : [one.value]));
  const low = Math.min(...values),
    high = Math.max(...values),
    missing = points.length - values.length;
  const words = filled(low === high ? TEXTS.one : TEXTS.span, {
    name,
    low,
    high,
    time: timeSpanText(Math.max(...points.map((one) => one.minutes))),
    values: `${values.length} ${values.length === 1 ? "value" : "values"}`,
  });
  return missing ? filled(TEXTS.missing, { words, count: missing }) : words;
}

// Lines through neighbouring values: `place` gives the [x, y] of a point; a missing value lifts the pen.
export function coursePath(points, place) {
  let line = "",
    pen = false;
  for (const one of inTime(points)) {
    if (one.value !== null)
      line += `${pen ? "L" : "M"}${place(one)
        .map((n) => n.toFixed(1))
        .join(" ")}`;
    pen = one.value !== null;
  }
  return line;
}

// `column` of the record table, so that its points can be found.
export function sparkline(points, column) {
  const known = points.filter((one) => one.value !== null);
  const values = known.map((one) => one.value),
    low = Math.min(...values),
    high = Math.max(...values),
    last = Math.max(...points.map((one) => one.minutes));
  const at = (one) => [scaled(one.minutes, 0, last, WIDTH), HEIGHT - scaled(one.value, low, high, HEIGHT)];
  return svg(
    "svg",
    { class: "ab-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("path", { d: coursePath(points, at) }),
    known.map((one) => svg("circle", { cx: at(one)[0], cy: at(one)[1], r: known.length > MANY ? 1 : 1.8, "data-dot": `${one.row}-${column}` })),
  );
}
