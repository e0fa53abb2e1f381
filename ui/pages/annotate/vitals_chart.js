// One chart of all vital signs over one time axis; opened by a sparkline or a key, closed by Esc.
import { button, el, selectorOf, svg } from "../components/dom.js";
import { _ } from "../components/language.js";
import { HEIGHT, across, laneSvg, lightLane, mark, minutesAt } from "./chart_lane.js";
import { chartModel } from "./chart_data.js";
import { link, onLink, unlink } from "./linked_highlights.js";
import { courseText, inTime } from "./sparkline.js";
import { state, toggleCell } from "./state.js";
import { timeTicks } from "./time_axis.js";

const TITLE = _("Vital signs over time");
const HOW = _("Arrows move along a lane and between lanes; space marks a value as evidence.");
const MOST_TICKS = { wide: 6, narrow: 3 };

let kept = { item: null, node: null, model: null };
let opener = null;
let cursor = { lane: 0, row: null };

const isNarrow = () => window.matchMedia("(max-width: 480px)").matches;
const laneNode = (place) => kept.node.querySelectorAll(".ab-lane")[place];

// `column` of the record table whose lane is to have the focus.
export function toggleChart(column = 1) {
  if (!state.item?.table.rows.length) return;
  if (state.panel === "chart") {
    closeChart();
    return;
  }
  opener = selectorOf(document.activeElement);
  state.panel = "chart";
  state.draw();
  kept.node.querySelector(`[data-k="lane-${column}"]`).focus({ preventScroll: true });
  kept.node.scrollIntoView({ block: "nearest" });
}
export function closeChart() {
  state.panel = null;
  unlink();
  state.draw();
  if (opener) document.querySelector(opener)?.focus({ preventScroll: true });
  else document.activeElement?.blur();
  opener = null;
}

function pointText(lane, row) {
  const { text } = lane.points[row],
    time = state.item.table.rows[row][0].slice(0, 16);
  return _("{name} {value} {unit} at {time}", { name: lane.name, value: text, unit: lane.unit, time }).replace(/\s+/g, " ");
}

function laneText(lane) {
  const { gold, claimed, thresholds } = lane;
  const limits = thresholds.map((one) => one.words).join(", ");
  return [
    courseText(`${lane.name} ${lane.unit}`.trim(), lane.points),
    ...(limits ? [_("threshold of the question {limits}", { limits })] : []),
    ...(gold.size ? [_("the gold answer rests on {count} of them", { count: gold.size })] : []),
    ...(claimed.size ? [_("the answer names {count} of them", { count: claimed.size })] : []),
  ].join("; ");
}

// ---------- pointing at a value
function pointAt(place, row) {
  const lane = kept.model.lanes[place],
    node = laneNode(place);
  cursor = { lane: place, row };
  const known = inTime(lane.known);
  node.setAttribute("aria-valuenow", String(known.findIndex((one) => one.row === row)));
  node.setAttribute("aria-valuetext", pointText(lane, row));
  link([[row, lane.column], [row, 0]], "chart");
}
function nearest(place, minutes) {
  const off = (one) => Math.abs(one.minutes - minutes);
  return kept.model.lanes[place].known.reduce((best, one) => (off(one) < off(best) ? one : best)).row;
}
const minutesOf = (row) => state.item.table.minutes[row];

function onLaneKey(event, place) {
  const { lanes } = kept.model,
    lane = lanes[place],
    known = inTime(lane.known),
    here = known.findIndex((one) => one.row === cursor.row);
  const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: known.length - 1 }[event.key];
  const other = { ArrowDown: place + 1, ArrowUp: place - 1 }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " ") {
    if (lane.vital) toggleCell(cursor.row, lane.vital);
  } else if (to !== undefined) pointAt(place, known[Math.min(Math.max(to, 0), known.length - 1)].row);
  else if (lanes[other]) laneNode(other).focus({ preventScroll: true });
  else if (other === undefined) return;
  event.preventDefault();
  event.stopPropagation();
}
function onLaneMove(event, place) {
  const frame = event.currentTarget.querySelector("svg").getBoundingClientRect();
  const row = nearest(place, minutesAt((event.clientX - frame.left) / frame.width, kept.model.last));
  if (cursor.lane !== place || cursor.row !== row || !kept.node.querySelector(".ab-lit-point")) pointAt(place, row);
}

onLink((cells) => {
  if (!kept.node?.isConnected) return;
  const { lanes, last } = kept.model;
  const times = cells.flatMap(([r, c]) => (c === 0 ? [r] : []));
  lanes.forEach((lane, place) => {
    const points = cells.flatMap(([r, c]) => (c === lane.column ? [r] : []));
    lightLane(laneNode(place), lane, last, { points, times });
  });
  const [said] = cells.flatMap(([r, c]) => {
    const lane = lanes.find(({ column }) => column === c);
    return lane && lane.points[r].value !== null ? [pointText(lane, r)] : [];
  });
  const count = cells.filter(([, c]) => c !== 0).length;
  kept.node.querySelector(".ab-chart-said").textContent =
    count > 1 ? _("{count} values are lit; the first: {point}", { count, point: said }) : said || HOW;
});

// ---------- drawing
function laneRow(lane, place, drawn) {
  return el(
    "div",
    {
      class: "ab-lane",
      tabindex: "0",
      role: "slider",
      "aria-orientation": "horizontal",
      "aria-label": laneText(lane),
      "aria-valuemin": "0",
      "aria-valuemax": String(lane.known.length - 1),
      "aria-valuenow": "0",
      "aria-valuetext": pointText(lane, inTime(lane.known)[0].row),
      "data-k": `lane-${lane.column}`,
      onkeydown: (event) => onLaneKey(event, place),
      onmousemove: (event) => onLaneMove(event, place),
      onmouseleave: unlink,
      onfocus: () => pointAt(place, nearest(place, cursor.row === null ? 0 : minutesOf(cursor.row))),
      onblur: unlink,
    },
    el(
      "span",
      { class: "ab-lane-name", "aria-hidden": "true" },
      el("span", {}, lane.name, lane.unit ? el("small", {}, ` ${lane.unit}`) : null),
      el("small", { class: "ab-scale" }, lane.low === lane.high ? String(lane.low) : `${lane.low} – ${lane.high}`),
    ),
    laneSvg(lane, drawn),
  );
}

function axis({ ticks, last }) {
  const anchor = (minutes) => (minutes < 0.06 * last ? "start" : minutes > 0.94 * last ? "end" : "middle");
  const line = (text, one, y) =>
    text && svg("text", { x: across(one.minutes, last), y, "text-anchor": anchor(one.minutes) }, text);
  return el(
    "div",
    { class: "ab-axis", "aria-hidden": "true" },
    el("span"),
    svg(
      "svg",
      { width: "100%", height: 30 },
      ticks.flatMap((one) => [line(one.clock, one, 12), line(one.date, one, one.clock ? 25 : 12)]).filter(Boolean),
    ),
  );
}

function legend({ marked, lanes, claimedRows, goldRows }) {
  const sign = (drawing, text) =>
    el("span", {}, svg("svg", { width: 16, height: 14, "aria-hidden": "true" }, drawing), text);
  const line = (css, upright) => svg("line", { class: css, ...(upright ? { x1: 8, x2: 8, y1: 0, y2: 14 } : { x1: 0, x2: 16, y1: 7, y2: 7 }) });
  return el(
    "p",
    { class: "ab-legend" },
    lanes.some((one) => one.thresholds.length) ? sign(line("ab-limit"), _("threshold of the question")) : null,
    marked.claimed ? sign(mark("claimed", 8, 7), _("named in the answer")) : null,
    claimedRows.length ? sign(line("ab-time-claimed", true), _("time named in the answer")) : null,
    marked.gold ? sign(mark("gold", 8, 7), _("the gold answer rests on it")) : null,
    goldRows.length ? sign(line("ab-time-gold", true), _("time of the gold answer")) : null,
  );
}

function build(item) {
  const model = chartModel(item);
  const drawn = { ...model, ticks: timeTicks(model.first, model.last, isNarrow() ? MOST_TICKS.narrow : MOST_TICKS.wide) };
  const node = el(
    "section",
    { class: "ab-chart", "aria-label": TITLE, style: `--ab-lane: ${HEIGHT}px` },
    el(
      "div",
      { class: "ab-row" },
      el("h3", {}, TITLE),
      button(_("Close"), "Esc", closeChart, { class: "cn-button cn-quiet", "data-k": "close-chart" }),
    ),
    legend(model),
    el(
      "div",
      { class: "ab-lanes", "data-scroll": "lanes" },
      model.lanes.map((lane, place) => laneRow(lane, place, drawn)),
      axis(drawn),
    ),
    el("p", { class: "ab-chart-said" }, HOW),
    model.waiting.map((one) =>
      el(
        "p",
        { class: "ab-hint" },
        _("The question's threshold, {formula} {limit}, is drawn with its values once the gold answer is open.", {
          formula: one.formula,
          limit: one.words,
        }),
      ),
    ),
  );
  return { item, node, model };
}

// The chart is drawn once for an item as it stands: a key press then leaves it as it is.
export function chartSection() {
  if (state.panel !== "chart") return null;
  if (kept.item !== state.item) {
    cursor = { lane: 0, row: null };
    kept = build(state.item);
  }
  return kept.node;
}
