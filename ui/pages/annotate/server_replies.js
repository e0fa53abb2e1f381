// Handle the server's replies: the next item, the gold of the current item, or an error.
import { _ } from "../components/language.js";
import { restartClock } from "./active_time.js";
import { showSaveStatus } from "./progress_and_buttons.js";
import { guidelineReceived, useStudyCodes } from "./guidelines.js";
import * as autosave from "./autosave.js";
import { answersReceived } from "./adjudicator_answers.js";
import { giveFormRoom } from "./form_height.js";
import { bringIntoSight } from "./criteria.js";
import { clearQueue } from "./request_queue.js";
import { referenceText } from "./gold_and_feedback.js";
import { contradicted, emptyForm, showMessage, state } from "./state.js";
import { startTour } from "./tour.js";

const SAID = { submit: _("Saved."), skip: _("Put aside.") };
const LOOK_AGAIN = _(
  "The item before is saved, although the gold answer or the text speaks against your choice. If you did not mean it, Back ([) leads there.",
);
const LEAVING = new Set(["submit", "skip"]);
const announce = (text) => (document.querySelector(".ab-live").textContent = text);
const root = () => document.querySelector(".ab-root");

export function showWaiting(text) {
  root().setAttribute("data-offline", "");
  showSaveStatus(text);
}

export function handleReply(name, reply, out) {
  root().removeAttribute("data-offline");
  if (reply.answers) state.answers = reply.answers;
  if (name === "save_draft") draftSaved(reply, out);
  else {
    showSaveStatus("");
    if (reply.studies) state.studies = reply.studies;
    if (reply.tour_due && reply.item) queueMicrotask(() => startTour({ first: true }));
    if (reply.kind === "guide") guidelineReceived(reply.guide);
    else if (reply.kind === "answers") answersReceived(reply);
    else if (reply.kind === "error") handleError(name, reply);
    else if (reply.kind === "closed") {
      clearQueue();
      showAllDone(reply);
    }
    else if (reply.kind === "studies") state.draw();
    else if (reply.kind === "tour") return;
    else if (reply.kind === "judged" || reply.kind === "flagged") updateCurrentItem(reply);
    else showNext(name, reply, out);
  }
}

function draftSaved(reply, out) {
  showSaveStatus(reply.message);
  if (reply.kind === "draft_kept") autosave.dropLocalCopyIfSame(out.assignment_id, out.form);
}

const isCurrent = (item) => Boolean(item) && item.assignment_id === state.item?.assignment_id;

// A reply about the current item: update it without touching the unsaved form.
function updateCurrentItem({ kind, item }) {
  if (!isCurrent(item)) replaceItem(item);
  else if (kind === "judged") {
    Object.assign(state, { item, sending: false, openClass: null, adding: null, past: [] });
    state.draw();
    showReference();
  } else {
    state.item = { ...state.item, flag: item.flag };
    state.draw();
    showSaveStatus(item.flag ? _("Flagged.") : _("The flag is taken away."));
  }
}

// On a phone the form covers the screen when it is locked: go back up to the reference.
function showReference() {
  if (!state.item.reveal) {
    bringIntoSight();
    announce(_("Locked. Step 2 of 2: the reference"));
    return;
  }
  root().querySelector(".ab-reveal").scrollIntoView({ block: "nearest" });
  giveFormRoom(root());
  announce(_("Locked. Step 2 of 2. {reference}", { reference: referenceText(state.item.reveal) }));
}

function showNext(name, reply, out) {
  if (LEAVING.has(name)) autosave.dropLocalCopy(out.assignment_id);
  clearQueue();
  const doubtful = name === "submit" && contradicted().length > 0;
  if (reply.kind === "done") showAllDone(reply);
  else {
    replaceItem(reply.item, { feedback: reply.kind === "feedback" });
    if (reply.message) showMessage(reply.message, "note");
    else if (doubtful && reply.kind !== "feedback") showMessage(LOOK_AGAIN, "note");
  }
  if (SAID[name]) showSaveStatus(SAID[name]);
}

function handleError(name, { item, message }) {
  state.sending = false;
  if (state.item && name !== "previous") clearQueue();
  // Refused without a newer revision, for instance in a paused study: keep the unsaved form.
  if (isCurrent(item) && item.revision === state.item.revision) state.item = item;
  else if (item) {
    const chosen = isCurrent(item) ? state.form : null;
    autosave.dropLocalCopy(item.assignment_id);
    replaceItem(item);
    if (chosen && JSON.stringify(chosen) !== JSON.stringify(state.form)) state.past = [chosen];
    if (state.past.length) message = [message, _("Press z, and what you had chosen here comes back.")].join(" ");
  }
  showMessage(message, name === "previous" ? "note" : "bad");
}

// Nothing is left, or the next item is of another study, which its annotator opens.
function showAllDone({ message, next_study = null, may_go_back = true, first_aside = null }) {
  Object.assign(state, {
    item: null,
    sending: false,
    feedback: false,
    panel: null,
    message: null,
    done: message,
    nextStudy: next_study,
    mayGoBack: may_go_back,
    firstAside: first_aside,
  });
  state.draw();
  announce(message);
}

function replaceItem(fresh, { feedback = false } = {}) {
  const moved = !isCurrent(fresh),
    elsewhere = state.item && state.item.study_id !== fresh.study_id;
  const form = { ...emptyForm(), ...((!feedback && autosave.localCopy(fresh)) || fresh.draft || {}) };
  Object.assign(state, { item: fresh, form, feedback, past: [], openClass: null, adding: null, evidenceFor: null });
  state.criterion = null;
  Object.assign(state, { sending: false, done: null, message: null });
  if (moved) {
    Object.assign(state, { panel: state.panel === "guide" ? "guide" : null, shown: "records", cell: [0, 1] });
    window.scrollTo({ top: 0 });
    restartClock();
  }
  useStudyCodes(fresh);
  state.draw();
  announce(shownText(fresh, { feedback, elsewhere }));
}

// What a screen reader hears when an item opens; `elsewhere`: it is of another study than the one before.
function shownText({ practice, progress: { done, total }, study, question }, { feedback, elsewhere }) {
  if (feedback) return practice === null ? _("Saved. Feedback on your training item.") : _("Feedback on your practice item.");
  const place = { study, n: Math.min(done + 1, total), total, question };
  return elsewhere ? _("Study {study}, item {n} of {total}. {question}", place) : _("Item {n} of {total}. {question}", place);
}
