// Answers in which nothing is marked: two to the same question side by side, on a narrow screen one below the other,
// or one that is rated, with the gold answer below it where the study shows that.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { howItEnded, modelThinking } from "../components/prompt_and_thinking.js";
import { state } from "./state.js";

function answer({ text, ended, thinking }, place, title) {
  const empty = !text.trim();
  return el(
    "section",
    { class: "ab-one", "aria-label": title },
    el("h2", {}, title),
    el(
      "div",
      { class: "ab-text" + (empty ? " ab-empty" : ""), tabindex: "0", role: "group", "aria-label": title, "data-k": `answer-${place}`, "data-scroll": `answer-${place}` },
      empty ? _("(the model wrote nothing)") : text,
    ),
    howItEnded({ ended }),
    modelThinking({ thinking }, `thinking-${place}`),
  );
}

export function answerPair() {
  const [left, right] = state.item.pair.answers;
  return el("div", { class: "ab-pair" }, answer(left, 0, _("Left answer")), answer(right, 1, _("Right answer")));
}

export const plainAnswer = () => answer(state.item, 0, _("The model's answer"));

export function referenceSection() {
  const { reference } = state.item;
  if (!reference) return null;
  return el(
    "section",
    { class: "ab-reference", "aria-label": _("Gold answer") },
    el("h2", {}, _("Gold answer")),
    el("div", { class: "ab-text", tabindex: "0", role: "group", "aria-label": _("Gold answer"), "data-k": "reference", "data-scroll": "reference" }, reference.answer),
    reference.points.length ? el("ul", {}, reference.points.map((one) => el("li", {}, one))) : null,
  );
}
