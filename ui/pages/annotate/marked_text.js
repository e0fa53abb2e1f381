// A text whose numbers and times light what they equal, and can be marked as evidence: the model's answer, the context.
import { el, keepChildren } from "../components/dom.js";
import { linkingHandlers, setCellsOf } from "./linked_highlights.js";
import { addSpan, evidenceOf, otherLabels, spansOf, spansOver, toggleSpan } from "./state.js";
import {
  codePointLength,
  codePointOffset,
  extendSpan,
  keyboardStops,
  overlaps,
  trimSpan,
} from "./span_arithmetic.js";

const piecesOfBoxes = new WeakMap(); // text box -> its pieces by place and marks
let markedAt = 0;

// Cuts the text between two places at evidence boundaries, with evidence inside <mark>. The text is taken apart once:
// it may have a thousand numbers.
function cutter(part, text) {
  const points = Array.from(text),
    own = spansOf(part),
    others = otherLabels().flatMap((one) => evidenceOf(one)[part]);
  const cut = (start, end) => {
    const ends = [...own, ...others].flat().filter((at) => at > start && at < end);
    const places = [...new Set([start, end, ...ends])].sort((a, b) => a - b);
    return places.slice(1).map((to, i) => {
      const piece = points.slice(places[i], to).join(""),
        over = (one) => overlaps(one, [places[i], to]);
      const kind = own.some(over) ? "ab-own" : others.some(over) ? "ab-other" : null;
      return kind ? el("mark", { class: kind }, piece) : document.createTextNode(piece);
    });
  };
  // Equal for two drawings of a piece that look alike.
  cut.marks = (start, end) =>
    JSON.stringify([own, others].map((some) => some.filter((one) => overlaps(one, [start, end]))));
  return cut;
}

function numberElement(part, text, stop, place, pieces) {
  const span = [stop.start, stop.end];
  return el(
    "span",
    {
      class: stop.number ? "ab-number" : "ab-word",
      role: "checkbox",
      tabindex: "-1",
      "data-k": `${part}-stop-${place}`,
      "data-stop": place,
      "aria-checked": String(spansOver(part, span).length > 0),
      onclick: () => {
        if (Date.now() - markedAt > 300) toggleSpan(part, span);
      },
      onkeydown: (event) => onNumberKey(event, part, text, span),
    },
    pieces(...span),
  );
}

function onNumberKey(event, part, text, span) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === " ") toggleSpan(part, span);
  else if (event.shiftKey && direction)
    addSpan(part, extendSpan(text, spansOver(part, span)[0] || span, direction));
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// Focus the next (1) or previous (-1) number of the text that has the focus, else of the answer; if none of its
// numbers has the focus, the first or last.
export function focusNextNumber(direction) {
  const box = document.activeElement?.closest(".ab-context") || document.querySelector(".ab-text");
  const all = [...(box?.querySelectorAll("[data-stop]") || [])];
  if (!all.length) return;
  const here = all.indexOf(document.activeElement);
  const to = here < 0 ? (direction > 0 ? 0 : all.length - 1) : (here + direction + all.length) % all.length;
  all[to].focus();
}

// The span of the text that is selected in `box`, without blanks at its ends; null if there is none.
function selectedSpan(box, text) {
  const chosen = window.getSelection();
  if (!box || !chosen.rangeCount || chosen.isCollapsed) return null;
  const range = chosen.getRangeAt(0);
  if (!box.contains(range.startContainer) || !box.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.setStart(box, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = codePointOffset(before.toString(), before.toString().length);
  const span = trimSpan(text, [start, start + codePointLength(range.toString())]);
  return span[0] < span[1] ? span : null;
}

export function markSelection(part, box, text) {
  const span = selectedSpan(box, text);
  if (!span) return;
  markedAt = Date.now();
  window.getSelection().removeAllRanges();
  addSpan(part, span);
}
export const isSelected = (box, text) => selectedSpan(box, text) !== null;

// Numbers and what is between them, as nodes; those of `before` that would look alike are taken again.
function textNodes(part, text, stops, before) {
  const pieces = cutter(part, text),
    drawn = new Map();
  const piece = (start, end, make) => {
    const key = `${start} ${end} ${pieces.marks(start, end)}`;
    drawn.set(key, before.get(key) || make());
  };
  let at = 0;
  stops.forEach((stop, place) => {
    const from = at;
    if (from < stop.start) piece(from, stop.start, () => pieces(from, stop.start));
    piece(stop.start, stop.end, () => [numberElement(part, text, stop, place, pieces)]);
    at = stop.end;
  });
  piece(at, codePointLength(text), () => pieces(at, codePointLength(text)));
  return drawn;
}

// Draw the marks of a text anew; what is not marked otherwise stays as it is.
export function markAgain(box, part, text, most) {
  const drawn = textNodes(part, text, keyboardStops(text, most), piecesOfBoxes.get(box));
  piecesOfBoxes.set(box, drawn);
  keepChildren(box, [...drawn.values()]);
}

// `part` names the evidence of this text in the form; `cellsOf` tells which cells its numbers equal.
export function markedText(part, text, name, { empty = null, cellsOf, most, ...more }) {
  const stops = keyboardStops(text, most),
    drawn = textNodes(part, text, stops, new Map());
  const box = el(
    "pre",
    {
      class: `ab-${name}` + (empty === null ? "" : " ab-empty"),
      tabindex: "0",
      "data-k": name,
      "data-scroll": name,
      role: "group",
      onmouseup: () => {
        if (empty === null) markSelection(part, box, text);
      },
      ...linkingHandlers(name),
      ...more,
    },
    empty ?? [...drawn.values()],
  );
  piecesOfBoxes.set(box, drawn);
  setCellsOf(box, cellsOf(stops));
  return box;
}
