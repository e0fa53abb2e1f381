// The item to judge: question, records, context, model answer and, after the blind judgement, the gold.
import { markAgain, markedText } from "./marked_text.js";
import { criteriaSection } from "./criteria.js";
import { answerPair, plainAnswer, referenceSection } from "./compared_or_rated_answers.js";
import { modelAnswer } from "./model_answer.js";
import { button, el, lastingDiv } from "../components/dom.js";
import { _ } from "../components/language.js";
import { demandedForm, wholePrompt } from "../components/prompt_and_thinking.js";
import { keyHint } from "./open_kinds.js";
import { recordTable } from "./record_table.js";
import { goldSection, suggestionList } from "./gold_and_feedback.js";
import { evidenceOf, isChecked, isPair, judgesFailures, markedLabel, otherLabels, state } from "./state.js";
import { cellsOfContext } from "./value_matches.js";
import { chartSection } from "./vitals_chart.js";

const MOST_NUMBERS = 4000;
let kept = { table: null, marks: null, box: null, node: null };
const material = lastingDiv(),
  panel = lastingDiv();

// Where the prompt is not known, nobody knows what the model saw.
const contextName = ({ asked }) => (asked.unknown === null ? _("As the model saw it") : _("Context"));

// A context has up to a thousand numbers: it is drawn once for an item, and then only its marks.
function contextSection() {
  const { context, representation, table } = state.item;
  const marks = JSON.stringify([
    markedLabel(),
    ...[markedLabel(), ...otherLabels()].map((one) => evidenceOf(one).context_spans),
  ]);
  if (kept.table !== table) {
    const box = markedText("context_spans", context, "context", {
      "aria-label": _("Context"),
      cellsOf: (stops) => cellsOfContext(stops, table),
      most: judgesFailures() ? MOST_NUMBERS : 0
    });
    const heading = el("h3", {}, contextName(state.item), " ", el("small", {}, representation));
    const attributes = { class: "ab-context-box", "aria-label": contextName(state.item) };
    kept = { table, marks, box, node: el("section", attributes, heading, box) };
  } else if (kept.marks !== marks) {
    markAgain(kept.box, "context_spans", context, MOST_NUMBERS);
    kept.marks = marks;
  }
  return kept.node;
}

function recordsAndContext() {
  const { item, shown } = state;
  // Imported items have no records, only a context.
  if (!item.table.rows.length) return item.context ? contextSection() : null;
  const tab = (name, label) =>
    button(
      label,
      null,
      () => {
        state.shown = name;
        state.draw();
      },
      { class: "ab-tab", "aria-pressed": String(shown === name), "data-k": "tab-" + name },
    );
  return material(
    { class: "ab-material", "data-shown": shown },
    el(
      "div",
      { class: "ab-tabs", role: "group", "aria-label": _("Show") },
      tab("records", _("Records")),
      tab("context", contextName(item)),
      keyHint("y"),
    ),
    recordTable(),
    contextSection(),
  );
}

export function itemPanel() {
  const { item } = state;
  return panel(
    { class: "ab-read" },
    el("h2", { class: "ab-question" }, item.question),
    demandedForm(item),
    item.options.length
      ? el(
          "ul",
          { class: "ab-choices", "aria-label": _("Options") },
          item.options.map((text) => el("li", {}, text)),
        )
      : null,
    chartSection(),
    recordsAndContext(),
    item.givens.length ? el("p", {}, _("Also given: {givens}", { givens: item.givens.join("; ") })) : null,
    wholePrompt(item),
    isPair() ? answerPair() : isChecked() ? null : judgesFailures() ? modelAnswer() : plainAnswer(),
    referenceSection(),
    criteriaSection(),
    goldSection(),
    state.feedback ? null : suggestionList(),
  );
}
