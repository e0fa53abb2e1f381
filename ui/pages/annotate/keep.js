// Work in hand: a draft on the server after every pause, and a copy in this browser until the server has it.
import { post, queued } from "./queue.js";
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

// Send the draft now, if one is due.
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

// What the server has not heard of, if it still fits what the server has.
export function inHand(fresh) {
  const kept = JSON.parse(localStorage.getItem(HAND + fresh.assignment_id) || "null");
  return kept && (kept.revision === fresh.revision || !fresh.answered) ? kept.form : null;
}

// Logging out leaves nothing behind for whoever sits here next.
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") !== "/logout") return;
  settle();
  for (const key of Object.keys(localStorage))
    if (key.startsWith(HAND) || key === "cn-pending") localStorage.removeItem(key);
});
