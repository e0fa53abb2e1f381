// Autosave: a draft goes to the server after each pause; localStorage keeps a copy until the server has it.
import { post, isQueued } from "./request_queue.js";
import { isPractice, state } from "./state.js";

const LOCAL_PREFIX = "cn-hand-";
const DRAFT_PAUSE_MS = 400;
let timer = null;

export function scheduleDraft() {
  if (isPractice()) return;
  const { item, form } = state;
  localStorage.setItem(LOCAL_PREFIX + item.assignment_id, JSON.stringify({ revision: item.revision, form }));
  clearTimeout(timer);
  timer = setTimeout(sendDraft, DRAFT_PAUSE_MS);
}

// Send a pending draft now.
export function sendDraft() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  if (state.item && !isQueued("save_draft")) post("save_draft", draftRequest);
}
export const cancelDraft = () => {
  clearTimeout(timer);
  timer = null;
};
export const isDraftPending = () => timer !== null;

export function draftRequest() {
  const { item, form } = state;
  return item && !state.feedback
    ? { assignment_id: item.assignment_id, revision: item.revision, form }
    : null;
}

export const dropLocalCopy = (id) => localStorage.removeItem(LOCAL_PREFIX + id);
export function dropLocalCopyIfSame(id, form) {
  const kept = JSON.parse(localStorage.getItem(LOCAL_PREFIX + id) || "null");
  if (kept && JSON.stringify(kept.form) === JSON.stringify(form)) dropLocalCopy(id);
}

// The locally stored form for this item, if it is still based on the server's revision; else null.
export function localCopy(fresh) {
  const kept = JSON.parse(localStorage.getItem(LOCAL_PREFIX + fresh.assignment_id) || "null");
  return kept && (kept.revision === fresh.revision || !fresh.answered) ? kept.form : null;
}

// On logout, delete local copies, as another person may use this browser next.
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") !== "/logout") return;
  cancelDraft();
  for (const key of Object.keys(localStorage))
    if (key.startsWith(LOCAL_PREFIX) || key === "cn-pending") localStorage.removeItem(key);
});
