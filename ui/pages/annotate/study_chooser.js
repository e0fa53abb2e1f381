// The annotator's studies: a panel to choose which one the next items come from; the choice is kept on the server.
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { post } from "./request_queue.js";
import { state } from "./state.js";

let actions = {};
export const connectStudies = (given) => {
  actions = given;
};

// Several studies are headed by the line that chooses none of them.
const named = () => state.studies.filter((one) => one.study_id !== null);

function togglePanel() {
  const open = state.panel !== "studies";
  state.panel = open ? "studies" : null;
  state.draw();
  if (!open) return;
  document.querySelector(".ab-study[aria-pressed='true']")?.focus();
  post("studies", () => ({})); // as they stand now
}

// Only if there is a choice.
export function studiesButton() {
  if (named().length < 2) return null;
  return button(_("Studies: {n}", { n: named().length }), null, togglePanel, {
    class: "cn-button cn-quiet",
    "data-k": "studies",
    "aria-expanded": String(state.panel === "studies"),
  });
}

const line = ({ study_id, name, facts, chosen }) => [
  el("span", {}, name, facts.length ? el("small", {}, facts.join("; ")) : null),
];

// What somebody is told whose training was not good enough for items that count.
const missedView = ({ missed }) =>
  missed &&
  el(
    "section",
    { class: "ab-missed cn-note cn-warn" },
    el("p", {}, missed.said),
    missed.read ? el("p", {}, missed.read) : null,
    el(
      "dl",
      {},
      missed.entries.map(({ name, definition, include, exclude }) => [
        el("dt", {}, name),
        el("dd", {}, definition),
        include ? el("dd", {}, el("b", {}, _("Use when:"), " "), include) : null,
        exclude ? el("dd", {}, el("b", {}, _("Not when:"), " "), exclude) : null,
      ]),
    ),
  );

export function studyList() {
  const { studies } = state;
  if (studies.length === 1)
    return el("div", { class: "ab-study-line" }, el("p", {}, line(studies[0])), missedView(studies[0]));
  return el(
    "ul",
    { class: "ab-study-list", "aria-label": _("Where the next items come from") },
    studies.map((one) =>
      el(
        "li",
        {},
        button(line(one), null, () => actions.choose(one.study_id), {
          class: "cn-option ab-study",
          "aria-pressed": String(one.chosen),
          "data-k": `study-${one.study_id}`,
        }),
        missedView(one),
      ),
    ),
  );
}
