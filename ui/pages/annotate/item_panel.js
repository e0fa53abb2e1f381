// The item to judge: question, records, context, model answer and, after the blind judgement, the gold.
import { modelAnswer } from "./model_answer.js";
import { button, el } from "/static/components/dom.js";
import { demandedForm, wholePrompt } from "/static/components/model_request.js";
import { recordTable } from "./record_table.js";
import { goldSection, suggestionList } from "./gold_and_feedback.js";
import { state } from "./state.js";

function contextSection() {
  const { item } = state;
  return el(
    "section",
    { class: "ab-context-box", "aria-label": "Context as the model saw it" },
    el("h3", {}, "As the model saw it ", el("small", {}, item.representation)),
    el(
      "pre",
      {
        class: "ab-context",
        tabindex: "0",
        role: "group",
        "aria-label": "Context",
        "data-k": "context",
        "data-scroll": "context",
      },
      item.context,
    ),
  );
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
  return el(
    "div",
    { class: "ab-material", "data-shown": shown },
    el(
      "div",
      { class: "ab-tabs", role: "group", "aria-label": "Show" },
      tab("records", "Records"),
      tab("context", "As the model saw it"),
      el("kbd", { "aria-hidden": "true" }, "y"),
    ),
    recordTable(),
    contextSection(),
  );
}

export function itemPanel() {
  const { item } = state;
  return el(
    "div",
    { class: "ab-read" },
    el("h2", { class: "ab-question" }, item.question),
    demandedForm(item),
    item.options.length
      ? el(
          "ul",
          { class: "ab-choices", "aria-label": "Options" },
          item.options.map((text) => el("li", {}, text)),
        )
      : null,
    recordsAndContext(),
    item.givens.length ? el("p", {}, "Also given: " + item.givens.join("; ")) : null,
    wholePrompt(item),
    modelAnswer(),
    goldSection(),
    state.feedback ? null : suggestionList(),
  );
}
