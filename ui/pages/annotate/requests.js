// Build and queue requests; each carries the assignment and the revision it is based on.
import { tick } from "./active_time.js";
import { inField } from "/static/components/dom.js";
import { tell } from "./progress_and_buttons.js";
import { showGuide } from "./guidelines.js";
import * as hand from "./autosave.js";
import { post } from "./request_queue.js";
import { isJudged, judgement, lacking, say, state } from "./state.js";

const about = (more) => ({ assignment_id: state.item.assignment_id, revision: state.item.revision, ...more });
const judged = () => about({ judgement: judgement(), active_ms: tick() });

// Send the blind judgement, unless it was undone or already saved by the time the request is sent.
export const judge = () =>
  post("judge", () => (state.item?.revision === 0 && isJudged(state.form) ? judged() : null));

function submit() {
  const lacks = lacking();
  if (state.sending) return;
  if (lacks) {
    say(lacks.required);
    // The missing answer needs a key press, so leave any focused text field, which would capture it.
    const field = document.querySelector(`#ab-${lacks.name}`);
    if (field) field.focus();
    else if (inField()) document.activeElement.blur();
    return;
  }
  hand.settle();
  leave("submit", judged);
}

function leave(name, make) {
  state.sending = true;
  state.panel = state.message = null;
  state.draw();
  tell("Saving…");
  post(name, make);
}

export const actions = {
  enter: () => (state.feedback ? actions.forward() : submit()),
  skip: (reason) => leave("skip", () => about({ reason })),
  flag: (note) => {
    state.panel = null;
    state.draw();
    tell("Saving…");
    post("flag", () => about({ note }));
  },
  back: () => {
    hand.flush();
    post("previous", () => ({ assignment_id: state.item?.assignment_id ?? null }));
  },
  forward: () => {
    hand.flush();
    post("load", () => ({}));
  },
  guide: showGuide,
};
