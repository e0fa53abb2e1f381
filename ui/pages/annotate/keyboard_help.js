// The keyboard help panel.
import { button, el } from "/static/components/dom.js";
import { keyboardHelpSections } from "/static/components/judgement_rules.js";
import { SUGGESTION_KEYS } from "./gold_and_feedback.js";
import { open } from "./practice.js";
import { state } from "./state.js";
import { startTour } from "./tour.js";

const labelKeys = () => [
  ...state.codes.classes.map((c) => [c.key, c.name + (c.subs.length ? " …" : "")]),
  ["…", "then a second letter, if you like; Esc closes the list"],
  ["+", "a further label: letters as above"],
  [SUGGESTION_KEYS.join(" "), "take over a suggestion"],
];

export function keyboardHelp() {
  const line = ([key, text]) => el("li", {}, el("kbd", {}, key), " " + text);
  const part = (title, lines) =>
    el("section", {}, el("h3", {}, title), el("ul", { class: "ab-keys" }, lines.map(line)));
  return el(
    "div",
    { class: "ab-sheet" },
    keyboardHelpSections(state.codes.questions).map(({ title, question, lines }) =>
      part(title, question.kind === "primary" ? [...labelKeys(), ...lines] : lines),
    ),
    part("Evidence", [
      [". ,", "next, previous number in the answer"],
      ["space", "mark it, or the cell"],
      ["⇧ ← →", "a word more"],
      ["y", "records, then context; arrows move, . and , go by numbers"],
      ["/", "chart of the vital signs; arrows move"],
      [";", "evidence for the next label"],
    ]),
    el(
      "section",
      {},
      el("h3", {}, "To begin with"),
      el(
        "p",
        { class: "ab-row" },
        button("Take the tour", null, () => startTour(), { class: "cn-button cn-quiet", "data-k": "tour" }),
        button("Five practice items", null, () => open(0), { class: "cn-button cn-quiet", "data-k": "practice" }),
      ),
    ),
    part("Navigation", [
      ["⏎", "lock and see the reference, then submit (Ctrl+⏎ from a field)"],
      ["z", "undo"],
      ["[ ]", "back, forward"],
      ["s", "skip with a reason"],
      ["q", "flag with a note"],
      ["i", "guideline"],
      ["⇧ i", "codebook"],
      ["⇧ …", "with an option's key: what it means"],
      ["?", "this sheet"],
    ]),
  );
}
