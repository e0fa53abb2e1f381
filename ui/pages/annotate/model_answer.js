// The model's answer: clickable numbers, selectable text spans, and the list of evidence marked so far.
import { button, el } from "/static/components/dom.js";
import { howItEnded, modelThinking } from "/static/components/model_request.js";
import { highlightMatchingCells } from "./record_table.js";
import { addSpan, removeSpan, isJudged, spansOver, state, takesLabels, toggleCell, toggleSpan } from "./state.js";
import {
  codePointLength,
  codePointOffset,
  codePointSlice,
  extendSpan,
  keyboardStops,
  trimSpan,
} from "./span_arithmetic.js";

let selected = null,
  markedAt = 0;

// The text from `start` to `end`, split at evidence boundaries, with evidence inside <mark>.
function textPieces(start, end) {
  const cuts = new Set([start, end, ...state.form.spans.flat().filter((at) => at > start && at < end)]);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(1).map((to, i) => {
    const text = codePointSlice(state.item.text, places[i], to);
    return spansOver([places[i], to]).length ? el("mark", { class: "ab-own" }, text) : text;
  });
}

function numberElement(stop, place) {
  const span = [stop.start, stop.end];
  return el(
    "span",
    {
      class: stop.number ? "ab-number" : "ab-word",
      role: "checkbox",
      tabindex: "-1",
      "data-k": `stop-${place}`,
      "data-stop": place,
      "aria-checked": String(spansOver(span).length > 0),
      onclick: () => {
        if (Date.now() - markedAt > 300) toggleSpan(span);
      },
      onmouseenter: () => highlightMatchingCells(stop.text),
      onmouseleave: () => highlightMatchingCells(null),
      onfocus: () => highlightMatchingCells(stop.text),
      onblur: () => highlightMatchingCells(null),
      onkeydown: (event) => onNumberKey(event, span),
    },
    textPieces(...span),
  );
}

function onNumberKey(event, span) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === " ") toggleSpan(span);
  else if (event.shiftKey && direction)
    addSpan(extendSpan(state.item.text, spansOver(span)[0] || span, direction));
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// Focus the next (1) or previous (-1) number; if none has the focus, the first or last.
export function focusNextNumber(direction) {
  const all = [...document.querySelectorAll(".ab-text [data-stop]")];
  if (!all.length) return;
  const here = all.indexOf(document.activeElement);
  const to = here < 0 ? (direction > 0 ? 0 : all.length - 1) : (here + direction + all.length) % all.length;
  all[to].focus();
}

function selectedSpan() {
  const box = document.querySelector(".ab-text"),
    chosen = window.getSelection();
  if (!box || !chosen.rangeCount || chosen.isCollapsed) return null;
  const range = chosen.getRangeAt(0);
  if (!box.contains(range.startContainer) || !box.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.setStart(box, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = codePointOffset(before.toString(), before.toString().length);
  const span = trimSpan(state.item.text, [start, start + codePointLength(range.toString())]);
  return span[0] < span[1] ? span : null;
}

function markSpan(span) {
  markedAt = Date.now();
  window.getSelection().removeAllRanges();
  selected = null;
  addSpan(span);
}

// Touch selection fires no mouseup, so a button appears that marks the selected text.
document.addEventListener("selectionchange", () => {
  if (!state.item) return;
  selected = selectedSpan();
  document.querySelector(".ab-take")?.toggleAttribute("hidden", selected === null);
});

export function modelAnswer() {
  const { item } = state,
    empty = !item.text.trim();
  const parts = [];
  let at = 0;
  keyboardStops(item.text).forEach((stop, place) => {
    parts.push(...textPieces(at, stop.start), numberElement(stop, place));
    at = stop.end;
  });
  parts.push(...textPieces(at, codePointLength(item.text)));
  const text = el(
    "pre",
    {
      class: "ab-text" + (empty ? " ab-empty" : ""),
      tabindex: "0",
      "data-k": "text",
      "data-scroll": "text",
      "aria-label": "The model's answer",
      role: "group",
      onmouseup: () => {
        const span = empty ? null : selectedSpan();
        if (span) markSpan(span);
      },
    },
    empty ? `(the model wrote nothing${item.thinking ? " but its thinking" : ""})` : parts,
  );
  return [
    el("h2", {}, "The model's answer"),
    text,
    howItEnded(item),
    state.feedback ? null : evidenceList(),
    modelThinking(item),
  ];
}

function evidenceList() {
  const { item, form } = state;
  const chip = (label, onclick) =>
    button(label, null, onclick, {
      class: "ab-chip",
      "aria-label": `Take away the evidence ${label}`,
      "data-k": "chip-" + label,
    });
  const cells = form.cells
    .filter((one) => one.record < item.table.rows.length && item.table.vitals.includes(one.vital))
    .map((one) => {
      const column = item.table.vitals.indexOf(one.vital) + 1;
      return chip(
        `${item.table.columns[column].split(" ")[0]} ${item.table.rows[one.record][column]} at ${item.table.rows[one.record][0].slice(11, 16)}`,
        () => toggleCell(one.record, one.vital),
      );
    });
  const spans = form.spans.map((span) =>
    chip(`“${shortened(codePointSlice(item.text, ...span))}”`, () => removeSpan(span)),
  );
  const some = spans.length + cells.length,
    lost = some && isJudged(form) && !takesLabels(form);
  const hint = lost
    ? "Evidence is kept with the label of a failure only:"
    : some
      ? "Your evidence:"
      : "Evidence, if you like: press a number, select text, or press a cell.";
  return el(
    "div",
    { class: "ab-evidence-line" },
    el("span", { class: some ? null : "ab-hint" }, hint),
    spans,
    cells,
    el(
      "button",
      {
        type: "button",
        class: "cn-button cn-quiet ab-take",
        hidden: selected === null,
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => {
          if (selected) markSpan(selected);
        },
      },
      "Mark the selection",
    ),
  );
}
const shortened = (text) => (codePointLength(text) > 40 ? codePointSlice(text, 0, 38) + "…" : text);
