// Build and queue the requests of the annotate page; each names the assignment and the revision it is based
// on.
import { activeMs } from "./active_time.js";
import { missingClaims } from "./claims.js";
import { bringIntoSight, missingTicks } from "./criteria.js";
import { isFieldFocused } from "../components/dom.js";
import { _ } from "../components/language.js";
import { showSaveStatus } from "./progress_and_buttons.js";
import { showGuideline } from "./guidelines.js";
import * as autosave from "./autosave.js";
import { togglePanel } from "./panels.js";
import { post } from "./request_queue.js";
import * as practice from "./practice_items.js";
import { isJudged, isPractice, judgement, judgesFailures, firstMissing, locksNext, questions, showMessage, state } from "./state.js";

const forCurrentItem = (more) => ({
  assignment_id: state.item.assignment_id,
  revision: state.item.revision,
  ...more,
});
const judgementMessage = () => forCurrentItem({ judgement: judgement(), active_ms: activeMs() });

// Step 1: lock what was judged without the reference; class and severity may still be missing.
// What the study asks of its own without the reference must be given, as it is blind only now.
function lock() {
  if (!judgesFailures()) return submit("judge");
  const lacks = isJudged(state.form) ? firstMissing(({ name }) => name.startsWith("custom.")) : questions()[0];
  if (!refusesOpenCriteria() && !showMissing(lacks)) save("judge");
}

function submit(name = "submit") {
  const lacks = firstMissing();
  if (!refusesOpenCriteria() && !showMissing(lacks)) save(name);
}

// Whether criteria or sentences are still open, which is then said.
function refusesOpenCriteria() {
  const missing = missingTicks() || missingClaims();
  if (!missing) return false;
  showMessage(missing);
  bringIntoSight();
  return true;
}

// Whether an answer is missing, which is then said.
function showMissing(lacks) {
  if (!lacks) return false;
  showMessage(lacks.required);
  // The missing answer needs a key press, so leave any focused text field, which would capture it.
  const field = document.getElementById(`ab-${lacks.name}`);
  if (field) field.focus();
  else if (isFieldFocused()) document.activeElement.blur();
  return true;
}

function save(name) {
  autosave.cancelDraft();
  if (isPractice()) send("practice", () => practice.request(name, judgement()));
  else send(name, judgementMessage);
}

// Send a request, with the form closed to changes until it is answered.
function send(name, make) {
  state.sending = true;
  state.message = null;
  if (state.panel !== "chart") state.panel = null; // it stays, to show what the reference rests on
  state.draw();
  showSaveStatus(_("Saving…"));
  post(name, make);
}

export const actions = {
  enter: () => {
    if (state.feedback) actions.forward();
    else if (!state.sending) (locksNext() ? lock : submit)();
  },
  skip: (reason) => send("skip", () => forCurrentItem({ reason })),
  flag: (note) => {
    state.panel = null;
    state.draw();
    showSaveStatus(_("Saving…"));
    post("flag", () => forCurrentItem({ note }));
  },
  back: () => {
    if (isPractice()) {
      practice.open(state.item.practice - 1);
      return;
    }
    autosave.sendDraft();
    post("previous", () => ({ assignment_id: state.item?.assignment_id ?? null }));
  },
  forward: () => {
    if (isPractice()) {
      practice.open(state.item.practice + 1);
      return;
    }
    autosave.sendDraft();
    post("load", () => ({}));
  },
  open: (assignment_id) => post("load", () => ({ assignment_id })),
  choose: (study_id) => {
    autosave.sendDraft();
    send("choose", () => ({ study_id }));
  },
  guide: () => (isPractice() ? showMessage(practice.NO_GUIDELINE, "note") : showGuideline()),
  answers: () => {
    if (state.panel === "answers") togglePanel("answers");
    else post("answers", () => ({}));
  },
  reply: (assignment_id, text) => {
    showSaveStatus(_("Saving…"));
    post("reply", () => ({ assignment_id, text }));
  },
};
