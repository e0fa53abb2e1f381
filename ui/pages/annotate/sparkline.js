// Sparkline of one vital over time (x: charttime, to scale); missing values leave gaps.
import { svg } from "../components/dom.js";
import { _, ngettext } from "../components/language.js";

const WIDTH = 72,
  HEIGHT = 26,
  EDGE = 4,
  MANY = 40; // points whose dots would hide the line
const scaled = (value, low, high, size) =>
  high === low ? size / 2 : EDGE + ((value - low) / (high - low)) * (size - 2 * EDGE);

function timeSpanText(minutes) {
  const whole = Math.round(minutes);
  if (whole >= 2880) return _("{n} days", { n: Math.round(whole / 1440) });
  return whole >= 120
    ? _("{hours} h {minutes} min", { hours: Math.floor(whole / 60), minutes: whole % 60 })
    : _("{n} min", { n: whole });
}

export const inTime = (points) => [...points].sort((a, b) => a.minutes - b.minutes);

// The course of a vital in words. `points`: { row, minutes, value }; value is null if nothing was recorded.
export function courseText(name, points) {
  const values = points.flatMap((one) => (one.value === null ? [] : [one.value]));
  const low = Math.min(...values),
    high = Math.max(...values),
    missing = points.length - values.length;
  const said = {
    ...{ name, low, high },
    time: timeSpanText(Math.max(...points.map((one) => one.minutes))),
    values: ngettext("{n} value", "{n} values", values.length),
  };
  const words =
    low === high
      ? _("{name}: {low} over {time}, {values}", said)
      : _("{name}: {low} to {high} over {time}, {values}", said);
  return missing ? _("{words}, {count} missing", { words, count: missing }) : words;
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
