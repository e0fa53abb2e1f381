// Autosave: saves to the server at each pause in typing; localStorage keeps a copy until the server has it.
import { notify, post } from "./requests.js";
import { copy, same, state } from "./state.js";

const PREFIX = "cn-draft-";
const PAUSE_MS = 1000;
const AGAIN_MS = 4000;
let timer = null;
let running = false;
let hooks = { told: () => {} };
export const connectAutosave = (given) => { hooks = given; };
const key = () => `${PREFIX}${state.me}-${state.draft.id}`;

export function scheduleSave() {
  if (!state.draft) return;
  localStorage.setItem(key(), JSON.stringify({ revision: state.revision, content: state.content, base: state.base, yaml: state.mode === "yaml" ? state.yaml : null }));
  state.saving = state.theirs ? "refused" : "due";
  hooks.told();
  if (!state.theirs) saveAfter(PAUSE_MS);
}
function saveAfter(pause) {
  clearTimeout(timer);
  timer = setTimeout(save, pause);
}
export const isSaved = () => !state.draft || same(state.content, state.base);
const message = () => ({ draft: state.draft.id, revision: state.revision, content: state.content });

// Save now; resolves to true if the server has all changes.
export async function save() {
  clearTimeout(timer);
  if (running || !state.draft || state.theirs || state.draft.status !== "open") return false;
  if (isSaved()) {
    markSaved();
    return true;
  }
  running = true;
  const draft = state.draft.id, sent = copy(state.content);
  state.saving = "sent";
  hooks.told();
  const reply = await post("save", message());
  running = false;
  if (state.draft?.id !== draft) return false;
  return applyReply(reply, sent);
}
function applyReply(reply, sent) {
  if (reply.saved) {
    state.revision = reply.saved.revision;
    state.base = sent;
    if (state.message?.failed) state.message = null;
    if (isSaved()) markSaved();
    else saveAfter(PAUSE_MS);
    return isSaved();
  }
  state.saving = reply.again ? "due" : "refused";
  state.message = reply.theirs ? null : { ...(reply.message ?? {}), failed: true };
  if (reply.theirs) state.theirs = reply.theirs;
  else if (reply.again) saveAfter(AGAIN_MS);
  hooks.told(Boolean(reply.theirs));
  return false;
}
function markSaved() {
  state.saving = "";
  if (!state.yamlError) localStorage.removeItem(key());
  hooks.told();
}
export const dropLocalCopy = () => { clearTimeout(timer); localStorage.removeItem(key()); };

// Locally stored changes that never reached the server; null if none.
export function unsavedLocalCopy() {
  try {
    const kept = JSON.parse(localStorage.getItem(key()) || "null");
    return kept && typeof kept.content === "object" && (kept.yaml || !same(kept.content, state.base)) ? kept : null;
  } catch {
    return null;
  }
}
export function saveOnLeaving() {
  if (state.touched && state.draft?.status === "open" && !state.theirs && !isSaved()) notify("save", message());
}
document.addEventListener("visibilitychange", () => { if (document.hidden) saveOnLeaving(); });
// On logout, save and delete local copies, as another person may use this browser next.
document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") !== "/logout") return;
  saveOnLeaving();
  clearTimeout(timer);
  for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
});
