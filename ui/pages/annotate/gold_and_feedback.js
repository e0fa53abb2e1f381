// What is shown once the judgement without the reference is locked: the reference with its working, suggested
// labels, and feedback on training items.
import { pointList } from "../components/answer_point_list.js";
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { isApplicable, valueOf, wordsOf } from "../components/judgement_rules.js";
import { keyHint } from "./open_kinds.js";
import { leave } from "./practice_items.js";
import { findCode, nameOf, questions, state, applySuggestion } from "./state.js";

const MOST_STEPS = 6;
export const SUGGESTION_KEYS = ["j", "k", "l"];

const readText = ({ parsed }) => (parsed === null ? _("no answer") : parsed);

// What a screen reader hears when the reference opens.
export const referenceText = (reveal) =>
  _("Gold answer: {answer}. Read from the answer: {read}. {difference}", {
    answer: reveal.answer,
    read: readText(reveal),
    difference: reveal.difference || "",
  });

export function goldSection() {
  const r = state.item.reveal;
  if (!r) return null;
  const steps = el(
    "ol",
    {},
    r.worked.map((step) => el("li", {}, step)),
  );
  const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  return el(
    "section",
    { class: "ab-reveal" + (r.right ? " ab-right" : ""), "aria-label": _("Gold answer") },
    el(
      "dl",
      { class: "ab-facts" },
      fact(_("Read from the answer"), readText(r)),
      fact(_("Gold answer"), r.answer),
      r.difference ? fact(_("Difference"), r.difference) : null,
    ),
    pointList(r.points),
    el("p", {}, _("Scored {status}: {reason}", { status: r.scored, reason: r.reason })),
    r.worked.length > MOST_STEPS
      ? el("details", {}, el("summary", {}, _("How the gold answer is worked out, {n} steps", { n: r.worked.length })), steps)
      : r.worked.length
        ? steps
        : null,
  );
}

export function suggestionList() {
  const { item, form } = state;
  if (!item.suggestions.length) return null;
  return el(
    "section",
    { class: "ab-suggestions", "aria-label": _("Suggested causes") },
    el(
      "h2",
      {},
      _("Suggested"),
      " ",
      el("small", {}, _("by rules, and often wrong; a press takes one over with its evidence")),
    ),
    item.suggestions.map((one, place) =>
      button(
        [
          keyHint(SUGGESTION_KEYS[place]),
          el("span", {}, one.sentence, " ", el("b", {}, nameOf(one.code))),
        ],
        null,
        () => applySuggestion(place),
        {
          class: "cn-option ab-suggestion",
          "aria-pressed": String(form.primary === one.code),
          "data-k": "suggestion-" + place,
        },
      ),
    ),
  );
}

const NOTHING = "–";

// The form's answer to a question, as text.
function answerText(question, form) {
  const value = isApplicable(question, form) ? valueOf(form, question.name) : null;
  if (question.kind === "further") return [...(value || [])].sort().map(nameOf).join(", ") || NOTHING;
  if (question.kind === "several") return (value || []).join(", ") || NOTHING;
  if (value === null || value === "") return NOTHING;
  return question.kind === "primary" ? nameOf(value) : question.options ? wordsOf(question, value) : String(value);
}

// Feedback on a submitted training item: the annotator's judgement beside the reference.
export function feedbackSection(goOn) {
  const { item } = state,
    own = item.draft,
    reference = item.feedback;
  const lines = questions()
    .map((one) => ({ ...one, own: answerText(one, own), reference: answerText(one, reference) }))
    .filter((one) => one.reference !== NOTHING || (one.own !== NOTHING && !one.name.startsWith("custom.")));
  const compared = lines.filter((one) => !one.private),
    said = lines.filter((one) => one.private && one.reference !== NOTHING);
  const differ = compared.some((one) => one.own !== one.reference);
  const codes = [...new Set([reference.primary, own.primary].filter(Boolean))];
  return el(
    "section",
    { class: "ab-feedback", "aria-label": _("Feedback") },
    el("h2", {}, differ ? _("Different from the reference labels") : _("Same as the reference labels")),
    el(
      "table",
      { class: "cn-table" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["", _("You"), _("Reference labels")].map((name) => el("th", { scope: "col" }, name)),
        ),
      ),
      el(
        "tbody",
        {},
        compared.map((one) => {
          const same = one.own === one.reference;
          return el(
            "tr",
            { class: same ? null : "ab-differs" },
            el("th", { scope: "row" }, one.label, el("small", {}, " ", same ? _("same") : _("different"))),
            el("td", {}, one.own),
            el("td", {}, one.reference),
          );
        }),
      ),
    ),
    codes.map((code) => el("p", {}, el("b", {}, nameOf(code) + ". "), findCode(code)?.definition || "")),
    item.why ? el("p", { class: "ab-why" }, el("b", {}, _("Why:"), " "), item.why) : null,
    said.map((one) => el("p", {}, el("b", {}, _("{label} of the reference labels:", one), " "), one.reference)),
    button(_("Go on"), "⏎", goOn, { class: "cn-button cn-primary", "data-k": "go-on" }),
    item.practice === null ? null : button(_("Leave the practice"), null, leave, { class: "cn-button cn-quiet", "data-k": "leave" }),
  );
}
