// Two answers to the same question, side by side; on a narrow screen one below the other.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { howItEnded, modelThinking } from "../components/model_request.js";
import { state } from "./state.js";

function answer({ text, ended, thinking }, place) {
  const title = place ? _("Right answer") : _("Left answer"),
    empty = !text.trim();
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

export const answerPair = () => el("div", { class: "ab-pair" }, state.item.pair.answers.map(answer));
