// Panels that open on request and close with Esc: skip, flag, guideline, keyboard help, codebook, answers.
import { button, el, trustedHtml } from "../components/dom.js";
import { _ } from "../components/language.js";
import { answersView } from "./adjudicator_answers.js";
import { closeCodebook, codebookView } from "../components/codebook.js";
import { keyboardHelp } from "./keyboard_help.js";
import { keyHint } from "./open_kinds.js";
import { NEITHER_ASIDE_NOR_FLAGGED } from "./practice_items.js";
import { isPractice, showMessage, state } from "./state.js";
import { studyList } from "./study_chooser.js";

// Kept in English, shown in the page's language. Their keys choose nothing in any study's judgement.
export const SKIP_REASONS = [
  { key: "i", value: "I cannot tell from what is shown", label: _("I cannot tell from what is shown") },
  { key: "j", value: "The guideline does not say", label: _("The guideline does not say") },
  { key: "k", value: "I know this patient or case", label: _("I know this patient or case") },
  { key: "l", value: "The item looks broken", label: _("The item looks broken") },
];
export const reasonWords = (kept) => SKIP_REASONS.find((one) => one.value === kept)?.label ?? kept;
const MOST_CHARACTERS = 500;
let actions = { skip: () => {}, flag: () => {} };
export const connectPanels = (given) => {
  actions = given;
};

export function togglePanel(panel) {
  if (isPractice() && (panel === "skip" || panel === "flag")) {
    showMessage(NEITHER_ASIDE_NOR_FLAGGED, "note");
    return;
  }
  if ([panel, state.panel].includes("skip")) state.message = null;
  state.panel = state.panel === panel ? null : panel;
  state.draw();
  if (state.panel) document.querySelector(`[data-panel] [data-first]`)?.focus();
}
export function closePanel() {
  if (state.panel === "codebook") {
    closeCodebook();
    return;
  }
  if (state.panel === "skip") state.message = null;
  state.panel = null;
  state.draw();
}

// Neither a reason nor the text has the focus at first: Enter and digits, typed on as if for the form, do nothing.
function skip() {
  const text = el("input", {
    type: "text",
    id: "ab-reason",
    maxlength: MOST_CHARACTERS,
    autocomplete: "off",
  });
  text.value = document.getElementById("ab-reason")?.value ?? "";
  const send = (event) => {
    event.preventDefault();
    if (text.value.trim()) actions.skip(text.value.trim());
  };
  return el(
    "form",
    { class: "ab-ask", "data-panel": "skip", onsubmit: send },
    el(
      "fieldset",
      { id: "ab-reasons", tabindex: "-1", "data-first": true },
      el("legend", {}, _("Why skip?"), " ", el("small", {}, _("Back leads to it again"))),
      el(
        "div",
        { class: "cn-options cn-one" },
        SKIP_REASONS.map(({ key, value, label }) =>
          button([keyHint(key, "skip"), label], null, () => actions.skip(value), { class: "cn-option" }),
        ),
      ),
    ),
    el("label", { for: "ab-reason" }, _("Another reason")),
    text,
    el(
      "div",
      { class: "ab-row" },
      el("button", { type: "submit", class: "cn-button cn-primary" }, _("Skip")),
      button(_("Not now"), keyHint("Esc", "skip"), closePanel, { class: "cn-button cn-quiet" }),
    ),
  );
}

function flag() {
  const text = el("textarea", { id: "ab-note", rows: "2", maxlength: MOST_CHARACTERS, "data-first": true });
  text.value = state.item.flag || "";
  const send = (event) => {
    event.preventDefault();
    if (text.value.trim()) actions.flag(text.value.trim());
  };
  // Notes are short, so Enter submits; Shift+Enter inserts a line break.
  text.onkeydown = (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.stopPropagation();
      send(event);
    }
  };
  return el(
    "form",
    { class: "ab-ask", "data-panel": "flag", onsubmit: send },
    el("label", { for: "ab-note" }, _("What should somebody look at?")),
    text,
    el(
      "div",
      { class: "ab-row" },
      el("button", { type: "submit", class: "cn-button cn-primary" }, _("Flag it")),
      state.item.flag
        ? button(_("Take the flag away"), null, () => actions.flag(null), { class: "cn-button cn-quiet" })
        : null,
      button(_("Not now"), "Esc", closePanel, { class: "cn-button cn-quiet" }),
    ),
  );
}

export const openForm = () => ({ skip, flag })[state.panel]?.() || null;

const SIDE_PANELS = {
  guide: () => [
    state.codes.title,
    state.codes.html ? trustedHtml(state.codes.html) : el("p", {}, _("This study has no guideline.")),
  ],
  keys: () => [_("Keys"), keyboardHelp()],
  codebook: () => [_("Codebook"), codebookView()],
  studies: () => [_("Your studies"), studyList()],
  answers: () => [_("Answers"), answersView()],
};
export const hasSidePanel = () => state.panel in SIDE_PANELS;

export function sidePanel() {
  if (!hasSidePanel()) return null;
  const [title, content] = SIDE_PANELS[state.panel]();
  return el(
    "aside",
    { class: "ab-beside", "data-panel": state.panel, "aria-label": title },
    el(
      "div",
      { class: "ab-row" },
      el("h2", {}, title),
      button(_("Close"), "Esc", closePanel, { class: "cn-button cn-quiet", "data-k": "close" }),
    ),
    el(
      "div",
      {
        class: "ab-beside-body",
        tabindex: "0",
        "data-first": true,
        "data-k": "beside",
        "data-scroll": "beside",
        role: "region",
        "aria-label": title,
      },
      content,
    ),
  );
}
