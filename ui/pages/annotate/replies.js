// Handle replies: the next item, the gold of the current one, or an error.
import { restart } from "./active_time.js";
import { tell } from "./progress_and_buttons.js";
import { arrived, useCodes } from "./guidelines.js";
import * as hand from "./autosave.js";
import { judge } from "./requests.js";
import { forgetQueue } from "./request_queue.js";
import { emptyForm, isJudged, say, state } from "./state.js";

const SAID = { submit: "Saved.", skip: "Put aside." };
const LEAVING = new Set(["submit", "skip"]);
const announce = (text) => (document.querySelector(".ab-live").textContent = text);
const root = () => document.querySelector(".ab-root");

export function waiting(text) {
  root().setAttribute("data-offline", "");
  tell(text);
}

export function answered(name, reply, out) {
  root().removeAttribute("data-offline");
  if (name === "save_draft") kept(reply, out);
  else {
    tell("");
    if (reply.kind === "guide") arrived(reply.guide);
    else if (reply.kind === "error") refused(name, reply);
    else if (reply.kind === "judged" || reply.kind === "flagged") here(reply);
    else goOn(name, reply, out);
  }
}

function kept(reply, out) {
  tell(reply.message);
  if (reply.kind === "draft_kept") hand.dropIfSame(out.assignment_id, out.form);
}

const isHere = (item) => Boolean(item) && item.assignment_id === state.item?.assignment_id;

// A reply about the current item: update it without touching the unsaved form.
function here({ kind, item }) {
  if (!isHere(item)) adopt(item);
  else if (kind === "judged") {
    state.item = item;
    state.draw();
    showGold();
  } else {
    state.item = { ...state.item, flag: item.flag };
    state.draw();
    tell(item.flag ? "Flagged." : "The flag is taken away.");
  }
}

// Scroll the gold into view on wide screens; on phones, keep the scroll position.
function showGold() {
  if (matchMedia("(min-width: 901px)").matches)
    root().querySelector(".ab-reveal")?.scrollIntoView({ block: "nearest" });
}

function goOn(name, reply, out) {
  if (LEAVING.has(name)) hand.drop(out.assignment_id);
  forgetQueue();
  if (reply.kind === "done") nothingLeft(reply.message);
  else adopt(reply.item, { feedback: reply.kind === "feedback" });
  if (SAID[name]) tell(SAID[name]);
}

function refused(name, { item, message }) {
  state.sending = false;
  if (state.item && name !== "previous") forgetQueue();
  // Refused without a newer revision, for instance in a paused study: keep the unsaved form.
  if (isHere(item) && item.revision === state.item.revision) state.item = item;
  else if (item) {
    const chosen = isHere(item) ? state.form : null;
    hand.drop(item.assignment_id);
    adopt(item, { blind: false });
    if (chosen && JSON.stringify(chosen) !== JSON.stringify(state.form)) state.past = [chosen];
    if (state.past.length) message += " What you had chosen here comes back with z.";
  }
  say(message, name === "previous" ? "note" : "bad");
}

function nothingLeft(message) {
  Object.assign(state, {
    item: null,
    sending: false,
    feedback: false,
    panel: null,
    message: null,
    done: message,
  });
  state.draw();
  announce(message);
}

function adopt(fresh, { feedback = false, blind = true } = {}) {
  const moved = !isHere(fresh);
  const form = { ...emptyForm(), ...((!feedback && hand.inHand(fresh)) || fresh.draft || {}) };
  Object.assign(state, { item: fresh, form, feedback, past: [], pendingClass: null, adding: null });
  Object.assign(state, { sending: false, done: null, message: null });
  if (moved) {
    Object.assign(state, { panel: state.panel === "guide" ? "guide" : null, shown: "records", cell: [0, 1] });
    window.scrollTo({ top: 0 });
    restart();
  }
  useCodes(fresh);
  state.draw();
  const { done, total } = fresh.progress;
  announce(
    feedback
      ? "Saved. Feedback on your training item."
      : `Item ${Math.min(done + 1, total)} of ${total}. ${fresh.question}`,
  );
  if (blind && !feedback && isJudged(form) && fresh.revision === 0) judge();
}
