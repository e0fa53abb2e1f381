// The keyboard help panel.
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { keyboardHelpSections } from "../components/judgement_rules.js";
import { claimsHelp } from "./claims.js";
import { criteriaHelp } from "./criteria.js";
import { SUGGESTION_KEYS } from "./gold_and_feedback.js";
import { axesHelp } from "./rating_axes.js";
import { open } from "./practice_items.js";
import { isChecked, judgesFailures, questions, state } from "./state.js";
import { startTour } from "./tour.js";

const labelKeys = () => [
  ...state.codes.classes.map((c) => [c.key, c.name + (c.subs.length ? " …" : "")]),
  ["…", _("then a second letter, if you like; no other letter acts until Esc")],
  ["+", _("a further label: letters as above")],
  [SUGGESTION_KEYS.join(" "), _("take over a suggestion")],
];

export function keyboardHelp() {
  const line = ([key, text]) => el("li", {}, el("kbd", {}, key), " " + text);
  const part = (title, lines) =>
    el("section", {}, el("h3", {}, title), el("ul", { class: "ab-keys" }, lines.map(line)));
  return el(
    "div",
    { class: "ab-sheet" },
    keyboardHelpSections(judgesFailures() ? state.codes.questions : questions().filter(({ kind }) => kind !== "axis")).map(({ title, question, lines }) =>
      part(title, question.kind === "primary" ? [...labelKeys(), ...lines] : lines),
    ),
    axesHelp() && part(_("Axes"), axesHelp()),
    criteriaHelp() && part(_("Criteria"), criteriaHelp()),
    claimsHelp() && part(_("Sentences"), claimsHelp()),
    judgesFailures() && part(_("Evidence"), [
      [". ,", _("next, previous number in the answer")],
      [_("space"), _("mark it, or the cell")],
      ["⇧ ← →", _("a word more")],
      ["y", _("records, then context; arrows move, . and , go by numbers")],
      ["/", _("chart of the vital signs; arrows move")],
      [";", _("evidence for the next label")],
    ]),
    el(
      "section",
      {},
      el("h3", {}, _("To begin with")),
      el(
        "p",
        { class: "ab-row" },
        button(_("Take the tour"), null, () => startTour(), { class: "cn-button cn-quiet", "data-k": "tour" }),
        button(_("Five practice items"), null, () => open(0), { class: "cn-button cn-quiet", "data-k": "practice" }),
      ),
    ),
    part(_("Navigation"), [
      ["⏎", isChecked() ? _("lock and see the reference, then submit (Ctrl+⏎ from a field)") : judgesFailures() ? _("lock and see the gold answer, then submit (Ctrl+⏎ from a field)") : _("submit (Ctrl+⏎ from a field)")],
      ["z", _("undo")],
      ["[ ]", _("back, forward")],
      ["s", _("skip, then the letter of a reason")],
      ["q", _("flag with a note")],
      ["i", _("guideline")],
      ["⇧ i", _("codebook")],
      ["⇧ …", _("with an option's key: what it means")],
      ["?", _("this sheet")],
    ]),
  );
}
