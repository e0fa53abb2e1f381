// What is shown once the judgement without the reference is locked: the reference with its working, suggested
// labels, and feedback on training items.
import { button, el } from "/static/components/dom.js";
import { isApplicable, valueOf, wordsOf } from "/static/components/judgement_rules.js";
import { leave } from "./practice.js";
import { findCode, nameOf, questions, state, applySuggestion } from "./state.js";

const MOST_STEPS = 6;
export const SUGGESTION_KEYS = ["j", "k", "l"];

const isRight = (reveal) => reveal.status === "correct";
const readText = ({ parsed }) => (parsed === null ? "no answer" : parsed);

// What a screen reader hears when the reference opens.
export const referenceText = (reveal) =>
  `Reference: ${reveal.answer}. Read from the answer: ${readText(reveal)}. ${reveal.difference || ""}`;

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
    { class: "ab-reveal" + (isRight(r) ? " ab-right" : ""), "aria-label": "Reference" },
    el(
      "dl",
      { class: "ab-facts" },
      fact("Read from the answer", readText(r)),
      fact("Reference", r.answer),
      r.difference ? fact("Difference", r.difference) : null,
    ),
    el("p", {}, `Scored ${r.status}. ${r.reason}`),
    r.worked.length > MOST_STEPS
      ? el("details", {}, el("summary", {}, `How the reference is worked out, ${r.worked.length} steps`), steps)
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
    { class: "ab-suggestions", "aria-label": "Suggested causes" },
    el(
      "h2",
      {},
      "Suggested ",
      el("small", {}, "by rules, and often wrong; a press takes one over with its evidence"),
    ),
    item.suggestions.map((one, place) =>
      button(
        [
          el("kbd", { "aria-hidden": "true" }, SUGGESTION_KEYS[place] || ""),
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
    { class: "ab-feedback", "aria-label": "Feedback" },
    el("h2", {}, differ ? "Different from the reference" : "Same as the reference"),
    el(
      "table",
      { class: "cn-table" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["", "You", "Reference"].map((name) => el("th", { scope: "col" }, name)),
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
            el("th", { scope: "row" }, one.label, el("small", {}, same ? " same" : " different")),
            el("td", {}, one.own),
            el("td", {}, one.reference),
          );
        }),
      ),
    ),
    codes.map((code) => el("p", {}, el("b", {}, nameOf(code) + ". "), findCode(code)?.definition || "")),
    item.why ? el("p", { class: "ab-why" }, el("b", {}, "Why: "), item.why) : null,
    said.map((one) => el("p", {}, el("b", {}, `${one.label} of the reference: `), one.reference)),
    button("Go on ", "⏎", goOn, { class: "cn-button cn-primary", "data-k": "go-on" }),
    item.practice === null ? null : button("Leave the practice", null, leave, { class: "cn-button cn-quiet", "data-k": "leave" }),
  );
}
