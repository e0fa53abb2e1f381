// Autosave: a draft goes to the server after each pause; localStorage keeps a copy until the server has it.
import { post, queued } from "./request_queue.js";
import { state } from "./state.js";

const HAND = "cn-hand-";
const DRAFT_PAUSE_MS = 400;
let timer = null;

export function keep() {
  const { item, form } = state;
  localStorage.setItem(HAND + item.assignment_id, JSON.stringify({ revision: item.revision, form }));
  clearTimeout(timer);
  timer = setTimeout(flush, DRAFT_PAUSE_MS);
}

// Send a pending draft now.
export function flush() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  if (state.item && !queued("save_draft")) post("save_draft", draft);
}
export const settle = () => {
  clearTimeout(timer);
  timer = null;
};
export const isDue = () => timer !== null;

export function draft() {
  const { item, form } = state;
  return item && !state.feedback
    ? { assignment_id: item.assignment_id, revision: item.revision, form }
    : null;
}

export const drop = (id) => localStorage.removeItem(HAND + id);
export function dropIfSame(id, form) {
  const kept = JSON.parse(localStorage.getItem(HAND + id) || "null");
  if (kept && JSON.stringify(kept.form) === JSON.stringify(form)) drop(id);
}

// The locally stored form for this item, if it is still based on the server's revision; else null.
export function inHand(fresh) {
  const kept = JSON.parse(localStorage.getItem(HAND + fresh.assignment_id) || "null");
  return kept && (kept.revision === fresh.revision || !fresh.answered) ? kept.form : null;
}

// On logout, delete local copies, as another person may use this browser next.
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") !== "/logout") return;
  settle();
  for (const key of Object.keys(localStorage))
    if (key.startsWith(HAND) || key === "cn-pending") localStorage.removeItem(key);
});
