// Built-in practice items: they go through the same form as items of a study, and nothing of them is kept.
import { _ } from "../components/language.js";
import { sendDraft } from "./autosave.js";
import { post } from "./request_queue.js";
import { showMessage, state } from "./state.js";

export const NO_GUIDELINE = _("Practice belongs to no study, so it has no guideline; the codebook (⇧i) is the same.");
export const NEITHER_ASIDE_NOR_FLAGGED = _("Practice items are neither put aside nor flagged; go on, or leave the practice.");
const FIRST = _("This is the first practice item.");

// A step of the current item: `judge` or `submit`, as on an item of a study.
export const request = (step, judgement) => ({ place: state.item.practice, step, judgement });

// Open an item by its place; after the last one the server answers with the annotator's own next item.
export function open(place) {
  if (place < 0) {
    showMessage(FIRST, "note");
    return;
  }
  sendDraft();
  post("practice", () => ({ place }));
}
export const leave = () => open(state.item.progress.total);
