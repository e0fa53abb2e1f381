// The model's answer, and the list of evidence marked so far in it, in the context and in the record table.
import { button, el } from "/static/components/dom.js";
import { howItEnded, modelThinking } from "/static/components/model_request.js";
import { isSelected, markSelection, markedText } from "./marked_text.js";
import {
  evidenceOf,
  isJudged,
  markFor,
  markedLabel,
  nameOf,
  removeSpan,
  state,
  takesLabels,
  toggleCell,
} from "./state.js";
import { codePointLength, codePointSlice } from "./span_arithmetic.js";
import { cellsOfAnswer } from "./value_matches.js";

const TEXTS = {
  label: "Evidence for",
  none: "no label yet",
  more: "{name} ({count})",
  away: "Take away the evidence {what}",
  inContext: "“{text}” in the context",
  inAnswer: "“{text}”",
  cell: "{vital} {value} at {time}",
  lost: "Evidence is kept with the label of a failure only:",
  yours: "Your evidence:",
  hint: "Evidence, if you like: press a number, select text, or press a cell.",
};
const filled = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

export function modelAnswer() {
  const { item } = state,
    empty = !item.text.trim();
  return [
    el("h2", {}, "The model's answer"),
    markedText("spans", item.text, "text", {
      "aria-label": "The model's answer",
      empty: empty ? `(the model wrote nothing${item.thinking ? " but its thinking" : ""})` : null,
      cellsOf: (stops) => cellsOfAnswer(stops, item.table),
    }),
    howItEnded(item),
    state.feedback ? null : [labelChoice(), evidenceList()],
    modelThinking(item),
  ];
}

// Which label the next evidence is for; asked where there is a further one.
function labelChoice() {
  const { form } = state;
  if (!form.further.length) return null;
  const choice = (code, name) => {
    const count = Object.values(evidenceOf(code)).flat().length;
    return button(count ? filled(TEXTS.more, { name, count }) : name, null, () => markFor(code), {
      class: "ab-tab",
      "aria-pressed": String(markedLabel() === code),
      "data-k": `evidence-for-${code}`,
    });
  };
  return el(
    "div",
    { class: "ab-evidence-for", role: "group", "aria-labelledby": "ab-evidence-for" },
    el("span", { id: "ab-evidence-for", class: "ab-hint" }, TEXTS.label),
    choice(null, form.primary ? nameOf(form.primary) : TEXTS.none),
    form.further.map((code) => choice(code, nameOf(code))),
    el("kbd", { "aria-hidden": "true" }, ";"),
  );
}

const shortened = (text) => (codePointLength(text) > 40 ? codePointSlice(text, 0, 38) + "…" : text);

function chips() {
  const { item } = state,
    { spans, context_spans, cells } = evidenceOf(markedLabel());
  const chip = (what, onclick) =>
    button(what, null, onclick, {
      class: "ab-chip",
      "aria-label": filled(TEXTS.away, { what }),
      "data-k": "chip-" + what,
    });
  const quoted = (part, list, text, words) =>
    list.map((span) =>
      chip(filled(words, { text: shortened(codePointSlice(text, ...span)) }), () => removeSpan(part, span)),
    );
  const shown = cells.filter((one) => one.record < item.table.rows.length && item.table.vitals.includes(one.vital));
  return [
    ...quoted("spans", spans, item.text, TEXTS.inAnswer),
    ...quoted("context_spans", context_spans, item.context, TEXTS.inContext),
    ...shown.map(({ record, vital }) => {
      const column = item.table.vitals.indexOf(vital) + 1,
        row = item.table.rows[record];
      const [name] = item.table.columns[column].split(" ");
      const what = filled(TEXTS.cell, { vital: name, value: row[column], time: row[0].slice(11, 16) });
      return chip(what, () => toggleCell(record, vital));
    }),
  ];
}

// The text of which a part is selected: [evidence part, box, text].
const selectable = () => [
  ["spans", document.querySelector(".ab-text:not(.ab-empty)"), state.item.text],
  ["context_spans", document.querySelector(".ab-context"), state.item.context],
];
const selectedText = () => selectable().find(([, box, text]) => isSelected(box, text));

// Touch selection fires no mouseup, so a button appears that marks the selected text.
document.addEventListener("selectionchange", () => {
  if (state.item) document.querySelector(".ab-take")?.toggleAttribute("hidden", !selectedText());
});

function evidenceList() {
  const some = chips(),
    lost = some.length && isJudged(state.form) && !takesLabels(state.form);
  return el(
    "div",
    { class: "ab-evidence-line" },
    el("span", { class: some.length ? null : "ab-hint" }, lost ? TEXTS.lost : some.length ? TEXTS.yours : TEXTS.hint),
    some,
    el(
      "button",
      {
        type: "button",
        class: "cn-button cn-quiet ab-take",
        hidden: !selectedText(),
        onpointerdown: (event) => event.preventDefault(),
        onclick: () => {
          const found = selectedText();
          if (found) markSelection(...found);
        },
      },
      "Mark the selection",
    ),
  );
}
