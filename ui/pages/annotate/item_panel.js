// The material: question, records, context, the model's answer and, after the blind judgement, the gold.
import { answer } from "./model_answer.js";
import { button, el } from "/static/components/dom.js";
import { records } from "./record_table.js";
import { gold, suggestions } from "./gold_and_feedback.js";
import { state } from "./state.js";

function context() {
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

function material() {
  const { item, shown } = state;
  // Imported items have no records, only a context.
  if (!item.table.rows.length) return item.context ? context() : null;
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
    records(),
    context(),
  );
}

export function reading() {
  const { item } = state;
  return el(
    "div",
    { class: "ab-read" },
    el("h2", { class: "ab-question" }, item.question),
    item.options.length
      ? el(
          "ul",
          { class: "ab-choices", "aria-label": "Options" },
          item.options.map((text) => el("li", {}, text)),
        )
      : null,
    material(),
    item.givens.length ? el("p", {}, "Also given: " + item.givens.join("; ")) : null,
    answer(),
    gold(),
    state.feedback ? null : suggestions(),
  );
}
