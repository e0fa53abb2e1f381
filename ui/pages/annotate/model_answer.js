// The model's answer, and the list of evidence marked so far in it, in the context and in the record table.
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { howItEnded, modelThinking } from "../components/prompt_and_thinking.js";
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

const emptyText = ({ thinking }) =>
  thinking ? _("(the model wrote nothing but its thinking)") : _("(the model wrote nothing)");

export function modelAnswer() {
  const { item } = state,
    empty = !item.text.trim();
  return [
    el("h2", {}, _("The model's answer")),
    markedText("spans", item.text, "text", {
      "aria-label": _("The model's answer"),
      empty: empty ? emptyText(item) : null,
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
    return button(count ? `${name} (${count})` : name, null, () => markFor(code), {
      class: "ab-tab",
      "aria-pressed": String(markedLabel() === code),
      "data-k": `evidence-for-${code}`,
    });
  };
  return el(
    "div",
    { class: "ab-evidence-for", role: "group", "aria-labelledby": "ab-evidence-for" },
    el("span", { id: "ab-evidence-for", class: "ab-hint" }, _("Evidence for")),
    choice(null, form.primary ? nameOf(form.primary) : _("no label yet")),
    form.further.map((code) => choice(code, nameOf(code))),
    el("kbd", { "aria-hidden": "true" }, ";"),
  );
}

const shortened = (text) => (codePointLength(text) > 40 ? codePointSlice(text, 0, 38) + "…" : text);

function chips() {
  const { item } = state,
    { spans, context_spans, cells } = evidenceOf(markedLabel());
  const chip = (key, what, onclick) =>
    button(what, null, onclick, {
      class: "ab-chip",
      "aria-label": _("Take away the evidence {what}", { what }),
      "data-k": "chip-" + key,
    });
  const quoted = (part, list, text, words) =>
    list.map((span) =>
      chip(`${part}-${span}`, words(shortened(codePointSlice(text, ...span))), () => removeSpan(part, span)),
    );
  const shown = cells.filter((one) => one.record < item.table.rows.length && item.table.vitals.includes(one.vital));
  return [
    ...quoted("spans", spans, item.text, (text) => `“${text}”`),
    ...quoted("context_spans", context_spans, item.context, (text) => _("“{text}” in the context", { text })),
    ...shown.map(({ record, vital }) => {
      const column = item.table.vitals.indexOf(vital) + 1,
        row = item.table.rows[record];
      const [name] = item.table.columns[column].split(" ");
      const what = _("{vital} {value} at {time}", { vital: name, value: row[column], time: row[0].slice(11, 16) });
      return chip(`${record}-${vital}`, what, () => toggleCell(record, vital));
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

function evidenceHint({ lost, some }) {
  if (lost) return _("Evidence is kept with the label of a failure only:");
  return some ? _("Your evidence:") : _("Evidence, if you like: press a number, select text, or press a cell.");
}
function evidenceList() {
  const some = chips(),
    lost = some.length && isJudged(state.form) && !takesLabels(state.form);
  return el(
    "div",
    { class: "ab-evidence-line" },
    el("span", { class: some.length ? null : "ab-hint" }, evidenceHint({ lost, some: some.length })),
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
      _("Mark the selection"),
    ),
  );
}
