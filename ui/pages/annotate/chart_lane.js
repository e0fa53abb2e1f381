// One lane of the chart as SVG. Across, places are shares of the width, so that the lane follows its column's width;
// a shape that must keep its form stands in an <svg> of its own.
import { svg } from "../components/dom.js";
import { coursePath } from "./sparkline.js";

export const HEIGHT = 40;
const EDGE = 6,
  FEW = 24, // points whose marks have room
  WIDE = 1000,
  PART_OF_LETTER = 0.016; // of the width of a lane, about
const SHAPES = {
  gold: (half) => `M0 ${-half}L${half} 0L0 ${half}L${-half} 0Z`,
  claimed: (half) => `M${-half} ${-half}H${half}V${half}H${-half}Z`,
};

const share = (minutes, last) => (last === 0 ? 0.5 : 0.015 + (0.97 * minutes) / last);
export const across = (minutes, last) => `${(100 * share(minutes, last)).toFixed(2)}%`;
export const minutesAt = (part, last) => (last === 0 ? 0 : ((part - 0.015) / 0.97) * last);
const down = (value, { low, high }) =>
  low === high ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);

export const mark = (kind, x, y, half = 6) =>
  svg("svg", { class: `ab-mark ab-mark-${kind}`, x, y, overflow: "visible" }, svg("path", { d: SHAPES[kind](half) }));

export const upright = (css, x) => svg("line", { class: css, x1: x, x2: x, y1: 0, y2: HEIGHT });

function thresholdLine(one, lane) {
  const y = down(one.value, lane);
  return svg("line", { class: "ab-limit", x1: "0%", x2: "100%", y1: y, y2: y });
}
// Its words stand at that end and side of the line where they hide the fewest values.
function thresholdText(one, lane, last) {
  const y = down(one.value, lane),
    wide = one.words.length * PART_OF_LETTER;
  const hidden = ({ from, base }) =>
    lane.known.filter((point) => {
      const at = share(point.minutes, last),
        height = down(point.value, lane);
      return at > from && at < from + wide && height < base + 2 && height > base - 12;
    }).length;
  const places = [1 - wide, 0].flatMap((from) => [y - 3, y + 11].map((base) => ({ from, base })));
  const inside = places.filter(({ base }) => base > 9 && base < HEIGHT);
  const best = inside.reduce((least, place) => (hidden(place) < hidden(least) ? place : least));
  const end = best.from > 0;
  return svg(
    "text",
    { class: "ab-limit-text", x: end ? "100%" : "0%", y: best.base, "text-anchor": end ? "end" : "start" },
    one.words,
  );
}

export function laneSvg(lane, { ticks, last, claimedRows, goldRows }) {
  const place = (one) => [WIDE * share(one.minutes, last), down(one.value, lane)];
  const dots = lane.known.map((one) => `M${place(one).map((n) => n.toFixed(1)).join(" ")}h0`).join("");
  const marks = (kind) =>
    lane.known
      .filter((one) => lane[kind].has(one.row))
      .map((one) => mark(kind, across(one.minutes, last), down(one.value, lane), lane[kind].size > FEW ? 4 : 6));
  const lines = (css, rows) => rows.map((row) => upright(css, across(lane.points[row].minutes, last)));
  return svg(
    "svg",
    { class: "ab-lane-svg", height: HEIGHT, width: "100%", "aria-hidden": "true" },
    ticks.map((one) => upright("ab-grid-line", across(one.minutes, last))),
    lines("ab-time-claimed", claimedRows),
    lines("ab-time-gold", goldRows),
    lane.thresholds.map((one) => thresholdLine(one, lane)),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HEIGHT}`, width: "100%", height: HEIGHT, preserveAspectRatio: "none" },
      svg("path", { class: "ab-course", d: coursePath(lane.points, place) }),
      svg("path", { class: "ab-dots", d: dots }),
    ),
    marks("gold"),
    marks("claimed"),
    lane.thresholds.map((one) => thresholdText(one, lane, last)),
    svg("g", { class: "ab-lit" }),
  );
}

// Light these rows of the lane: a ring around each point, and a line at each time.
export function lightLane(node, lane, last, { points, times }) {
  const at = (row) => across(lane.points[row].minutes, last);
  node.querySelector(".ab-lit").replaceChildren(
    ...times.map((row) => upright("ab-lit-time", at(row))),
    ...points
      .filter((row) => lane.points[row].value !== null)
      .map((row) => svg("circle", { class: "ab-lit-point", cx: at(row), cy: down(lane.points[row].value, lane), r: 6 })),
  );
}
