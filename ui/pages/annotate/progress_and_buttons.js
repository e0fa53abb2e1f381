// What surrounds the item: progress and terms of use above it, message and buttons below it.
import { dataUseNote } from "../components/data_use.js";
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { answersButton } from "./adjudicator_answers.js";
import { openCodebook } from "../components/codebook.js";
import { toggleKeys } from "./keyboard_shortcuts.js";
import { keyHint } from "./open_kinds.js";
import { openForm, reasonWords, togglePanel } from "./panels.js";
import { leave } from "./practice_items.js";
import { isChecked, isPractice, judgesFailures, locksNext, state, undo } from "./state.js";
import { studiesButton } from "./study_chooser.js";

let actions = {},
  stateLine = "";
export const connectButtons = (given) => {
  actions = given;
};

const durationText = (ms) =>
  ms < 90000 ? _("{n} s", { n: Math.max(1, Math.round(ms / 1000)) }) : _("{n} min", { n: Math.round(ms / 60000) });

// The annotator's pace and estimated time left, before their first item by the pace of all; shown only to the
// annotator.
function paceText({ done, total, median_ms: median, expected_ms: expected }) {
  if (!expected || total <= done) return null;
  const left = durationText(expected * (total - done));
  const text = median
    ? _("{pace} an item, about {left} left", { pace: durationText(median), left })
    : _("about {left} left", { left });
  return el("span", { class: "ab-pace" }, text);
}

export function progressBar() {
  const { item, keysOn } = state,
    { done, total } = item.progress;
  const quiet = { class: "cn-button cn-quiet" };
  return el(
    "div",
    { class: "ab-progress" },
    el(
      "span",
      { class: "ab-study-name" },
      isPractice()
        ? _("Practice, not your own items: {done} of {total} done", { done, total })
        : _("{study}: {done} of {total} done", { study: item.study, done, total }),
    ),
    el("progress", { value: String(done), max: String(total), "aria-label": _("Progress") }),
    paceText(item.progress),
    item.deadline ? el("span", { class: "ab-deadline" }, item.deadline) : null,
    el(
      "span",
      { class: "ab-tools" },
      studiesButton(),
      answersButton(),
      button(_("Guideline"), keyHint("i"), actions.guide, {
        ...quiet,
        "data-k": "guide",
        "aria-expanded": String(state.panel === "guide"),
      }),
      judgesFailures() && button(_("Codebook"), keyHint("⇧i"), () => openCodebook(), {
        ...quiet,
        "data-k": "codebook",
        "aria-expanded": String(state.panel === "codebook"),
      }),
      button(_("Key sheet"), keyHint("?"), () => togglePanel("keys"), {
        ...quiet,
        "data-k": "keys",
        "aria-expanded": String(state.panel === "keys"),
      }),
      button(keysOn ? _("Keys are on") : _("Keys are off"), null, toggleKeys, {
        ...quiet,
        "aria-pressed": String(keysOn),
        "data-k": "toggle",
      }),
    ),
  );
}

// Terms of use; only restricted data has any.
export function dataUseTerms() {
  return dataUseNote(state.item.data_use);
}

export function itemRemarks() {
  const { item } = state,
    said = [];
  if (isPractice() && !state.feedback) said.push(_("These items are for practice: nothing is saved, and you see how it compares after you submit. “Leave the practice” leads to your own items."));
  if (item.training && !state.feedback) said.push(_("Training: you see how it compares after you submit."));
  if (item.answered && !state.feedback && !isPractice())
    said.push(_("You submitted this item before; submitting again adds a revision."));
  if (item.status === "skipped") said.push(_("You put this aside: {reason}", { reason: reasonWords(item.skip_reason) }));
  if (item.flag) said.push(_("Flagged: {note}", { note: item.flag }));
  return said.length ? el("p", { class: isPractice() ? "cn-note" : "ab-remark" }, said.join(" ")) : null;
}

function messageBox() {
  const { message } = state;
  return el(
    "div",
    { class: "ab-message" + (message ? ` cn-note cn-${message.tone}` : ""), role: "alert" },
    message ? message.text : "",
  );
}

// Set the save status without redrawing, so as not to disturb typing.
export function showSaveStatus(text) {
  stateLine = text;
  const line = document.querySelector(".ab-state");
  if (line && line.textContent !== text) line.textContent = text;
}

function asideAndFlag() {
  const quiet = { class: "cn-button cn-quiet" };
  return [
    state.item.answered
      ? button(_("Forward"), "]", actions.forward, { ...quiet, "data-k": "forward" })
      : button(_("Skip"), keyHint("s"), () => togglePanel("skip"), { ...quiet, "data-k": "skip" }),
    button(state.item.flag ? _("Flagged") : _("Flag"), keyHint("q"), () => togglePanel("flag"), { ...quiet, "data-k": "flag" }),
  ];
}

function enterLabel() {
  if (!locksNext()) return _("Submit");
  return isChecked() ? _("Lock and see the reference") : _("Lock and see the gold answer");
}

export function actionBar() {
  const quiet = { class: "cn-button cn-quiet" };
  return el(
    "div",
    { class: "ab-bar" },
    messageBox(),
    openForm() ||
      el(
        "div",
        { class: "ab-row" },
        button(_("Back"), "[", actions.back, { ...quiet, "data-k": "back" }),
        button(_("Undo"), keyHint("z"), undo, { ...quiet, "data-k": "undo" }),
        isPractice() ? button(_("Leave the practice"), null, leave, { ...quiet, "data-k": "leave" }) : asideAndFlag(),
        button(enterLabel(), "⏎", actions.enter, { class: "cn-button cn-primary", "data-k": "submit" }),
      ),
    el("p", { class: "ab-state", role: "status" }, stateLine),
  );
}
