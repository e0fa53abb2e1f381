// Build and queue the requests of the annotate page; each names the assignment and the revision it is based
// on.
import { activeMs } from "./active_time.js";
import { isFieldFocused } from "/static/components/dom.js";
import { showSaveStatus } from "./progress_and_buttons.js";
import { showGuideline } from "./guidelines.js";
import * as autosave from "./autosave.js";
import { post } from "./request_queue.js";
import { isJudged, judgement, firstMissing, showMessage, state } from "./state.js";

const forCurrentItem = (more) => ({
  assignment_id: state.item.assignment_id,
  revision: state.item.revision,
  ...more,
});
const judgementMessage = () => forCurrentItem({ judgement: judgement(), active_ms: activeMs() });

// Send the blind judgement, unless it was undone or already saved by the time the request is sent.
export const sendBlindJudgement = () =>
  post("judge", () => (state.item?.revision === 0 && isJudged(state.form) ? judgementMessage() : null));

function submit() {
  const lacks = firstMissing();
  if (state.sending) return;
  if (lacks) {
    showMessage(lacks.required);
    // The missing answer needs a key press, so leave any focused text field, which would capture it.
    const field = document.querySelector(`#ab-${lacks.name}`);
    if (field) field.focus();
    else if (isFieldFocused()) document.activeElement.blur();
    return;
  }
  autosave.cancelDraft();
  sendAndLock("submit", judgementMessage);
}

function sendAndLock(name, make) {
  state.sending = true;
  state.panel = state.message = null;
  state.draw();
  showSaveStatus("Saving…");
  post(name, make);
}

export const actions = {
  enter: () => (state.feedback ? actions.forward() : submit()),
  skip: (reason) => sendAndLock("skip", () => forCurrentItem({ reason })),
  flag: (note) => {
    state.panel = null;
    state.draw();
    showSaveStatus("Saving…");
    post("flag", () => forCurrentItem({ note }));
  },
  back: () => {
    autosave.sendDraft();
    post("previous", () => ({ assignment_id: state.item?.assignment_id ?? null }));
  },
  forward: () => {
    autosave.sendDraft();
    post("load", () => ({}));
  },
  guide: showGuideline,
};
