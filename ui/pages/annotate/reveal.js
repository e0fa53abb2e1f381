// What opens after the first judgement: the gold and how it comes about, suggestions, feedback in training.
import { button, el } from "/static/components/dom.js";
import { CONFIDENCES, findCode, ITEMS, nameOf, RESPONSES, state, takeSuggestion } from "./state.js";

const MOST_STEPS = 6;
export const SUGGESTION_KEYS = ["j", "k", "l"];

export function gold() {
  const r = state.item.reveal;
  if (!r) return null;
  const steps = el(
    "ol",
    {},
    r.worked.map((step) => el("li", {}, step)),
  );
  return el(
    "section",
    { class: "ab-reveal", "aria-label": "Gold answer" },
    el("h2", {}, "Gold: " + r.answer),
    el(
      "p",
      {},
      `The scorer read ${r.parsed === null ? "no answer" : "“" + r.parsed + "”"}: ${r.status}. ${r.reason}`,
    ),
    r.worked.length > MOST_STEPS
      ? el("details", {}, el("summary", {}, `The working, ${r.worked.length} steps`), steps)
      : r.worked.length
        ? steps
        : null,
  );
}

export function suggestions() {
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
        () => takeSuggestion(place),
        {
          class: "ab-option ab-suggestion",
          "aria-pressed": String(form.primary === one.code),
          "data-k": "suggestion-" + place,
        },
      ),
    ),
  );
}

const told = {
  item: (form) => ITEMS.find(([v]) => v === form.item_judgement)[2],
  response: (form) => RESPONSES.find(([v]) => v === form.response_judgement)?.[2] || "–",
  primary: (form) => (form.primary ? nameOf(form.primary) : "–"),
  further: (form) => [...form.further].sort().map(nameOf).join(", ") || "–",
  severity: (form) =>
    form.severity === null ? "–" : form.severity === "not_applicable" ? "not applicable" : form.severity,
};
const LINES = [
  ["The response", "response"],
  ["Primary label", "primary"],
  ["Severity", "severity"],
  ["Further labels", "further"],
  ["The item", "item"],
];

// A training item after its submit: own judgement beside the reference.
export function feedback(goOn) {
  const { item } = state,
    own = item.draft,
    reference = item.feedback;
  const lines = LINES.filter(([, what]) => [own, reference].some((form) => told[what](form) !== "–"));
  const differ = lines.filter(([, what]) => told[what](own) !== told[what](reference)).length;
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
        lines.map(([title, what]) => {
          const same = told[what](own) === told[what](reference);
          return el(
            "tr",
            { class: same ? null : "ab-differs" },
            el("th", { scope: "row" }, title, el("small", {}, same ? " same" : " different")),
            el("td", {}, told[what](own)),
            el("td", {}, told[what](reference)),
          );
        }),
      ),
    ),
    codes.map((code) => el("p", {}, el("b", {}, nameOf(code) + ". "), findCode(code)?.definition || "")),
    reference.rationale ? el("p", {}, el("b", {}, "Why: "), reference.rationale) : null,
    reference.confidence
      ? el(
          "p",
          { class: "ab-hint" },
          `Confidence of the reference: ${CONFIDENCES[reference.confidence - 1].toLowerCase()}.`,
        )
      : null,
    button("Go on ", "⏎", goOn, { class: "cn-button cn-primary", "data-k": "go-on" }),
  );
}
