// Entry point of the drafts page, which shows the list of drafts or the editor of one draft.
// Typing does not redraw the form; adding or removing parts of the template does.
import { el, redraw } from "../components/dom.js";
import { _ } from "../components/language.js";
import { editorHeader, updateFaultCount, updateHeader, statusBar, confirmAction } from "./editor_header.js";
import { conflictSection } from "./edit_conflict.js";
import { setterAt, showFaults } from "./faults.js";
import { form } from "./template_form.js";
import {
  connectAutosave,
  dropLocalCopy,
  save,
  saveOnLeaving,
  scheduleSave,
  unsavedLocalCopy,
} from "./autosave.js";
import { draftList } from "./draft_list.js";
import { connectLiveChecks, scheduleCheck, stopChecks } from "./live_checks.js";
import { previewPanel } from "./preview.js";
import { post } from "./requests.js";
import { copy, applyDerived, get, state } from "./state.js";
import { showYamlError, yamlEditor } from "./yaml_editor.js";

let root;
const LOAD_AGAIN_MS = 3000;
const address = (id) => (id ? `/draft/?draft=${encodeURIComponent(id)}` : "/draft/");
const setAddress = (id) => { if (location.pathname + location.search !== address(id)) history.pushState(null, "", address(id)); };

function draw() {
  redraw(root, () => root.replaceChildren(el("div", { class: "df-message", role: "status" }), ...(state.draft ? editor() : [draftList(actions)])));
  updateStatus();
}
function editor() {
  const open = state.draft.status === "open";
  const work = state.mode === "yaml" ? yamlEditor(edited) : form();
  if (!open) work.setAttribute("inert", "");
  return [editorHeader(actions), statusBar(), el("div", { class: "df-conflict-box" }, state.theirs ? conflictSection(actions) : null), el("div", { class: "df-lost" }),
    el("div", { class: "df-grid" }, work,
      el("div", { class: "df-result", id: "df-result" }, previewPanel()))];
}
function updateStatus() {
  const box = root.querySelector(".df-message");
  if (!box) return; // not rendered yet
  const text = state.message?.text ?? "";
  box.className = `df-message${text ? ` cn-note cn-${state.message.tone ?? "bad"}` : ""}`;
  if (box.textContent !== text) box.textContent = text;
  if (!state.draft) return;
  updateHeader(root);
  updateFaultCount(root, state.mode === "form" ? showFaults() : faultsOfYaml());
  showYamlError(root);
}
// YAML has no fields, so each fault's message names its path.
const faultsOfYaml = () => ({
  lost: state.faults.map((one) => {
    const place = one.path.join(".") || _("template");
    return { ...one, message: `${place}: ${one.message}` };
  }),
  empty: 0, wrong: state.faults.length,
});
function redrawResult() {
  redraw(root, () => root.querySelector(".df-result")?.replaceChildren(previewPanel()));
}
function edited() {
  state.touched = true;
  scheduleSave();
  scheduleCheck();
}
// Write newly derived values into their form fields; redraw the form if one of the fields does not exist yet.
function showDerived(changed) {
  if (state.mode === "form") {
    const setters = changed.map((path) => [setterAt(path), path]);
    if (setters.length && setters.every(([set]) => set)) for (const [set, path] of setters) set(get(path));
    else draw();
  }
  if (state.touched) scheduleSave();
}
function resetState() {
  stopChecks();
  state.auto.clear();
  state.left.clear();
  Object.assign(state, { faults: [], notes: [], looked: null, weighed: null, stale: false, mode: "form", yaml: "", yamlError: null, theirs: null, saving: "", touched: false });
}
function openDraft(draft) {
  resetState();
  Object.assign(state, { draft, content: copy(draft.content), base: copy(draft.content), revision: draft.revision });
  applyDerived(draft.followed);
  const kept = unsavedLocalCopy();
  if (kept && draft.status === "open") {
    state.content = kept.content;
    if (kept.base) state.base = kept.base;
    if (kept.yaml) Object.assign(state, { mode: "yaml", yaml: kept.yaml });
    if (kept.revision < draft.revision) state.theirs = draft;
    else state.message = { tone: "good", text: _("What you typed before and was not saved yet is back.") };
    state.touched = true;
    scheduleSave();
  }
  setAddress(draft.id);
  draw();
  scheduleCheck(0);
}
async function load(id) {
  const reply = await post("load", { draft: id });
  if (reply.schema) Object.assign(state, { schema: reply.schema, me: reply.me, drafts: reply.drafts });
  state.message = reply.message ?? null;
  state.draft = null;
  resetState();
  if (reply.draft) openDraft(reply.draft);
  else draw();
  if (reply.again) setTimeout(() => load(id), LOAD_AGAIN_MS);
}
const showReplyMessage = (reply) => {
  state.message = reply.message ?? null;
  updateStatus();
};
const actions = {
  open: (id) => load(id),
  begin: async (content = {}, from = null) => {
    const reply = await post("create", { content, from_draft: from });
    if (!reply.draft) return showReplyMessage(reply);
    state.message = reply.message ?? null;
    openDraft(reply.draft);
    document.querySelector(".df-form textarea")?.focus();
  },
  leave: async () => {
    await save();
    setAddress(null);
    await load(null);
  },
  show: async (mode) => {
    if (mode === state.mode) return;
    if (mode === "yaml") {
      const reply = await post("to_yaml", { content: state.content });
      if (typeof reply.yaml !== "string") return showReplyMessage(reply);
      state.yaml = reply.yaml;
    } else if (state.yamlError) {
      state.message = { tone: "bad", text: _("The YAML cannot be read yet: mend the line that it names, then the form shows it.") };
      return updateStatus();
    }
    Object.assign(state, { mode, yamlError: null });
    draw();
    scheduleCheck(0);
  },
  submit: async () => {
    if (!(await save()) && state.saving) return showReplyMessage({ message: { tone: "bad", text: _("Not all of it is saved yet; try again in a moment.") } });
    const reply = await post("submit", { draft: state.draft.id, revision: state.revision });
    if (reply.theirs) state.theirs = reply.theirs;
    if (!reply.draft) { showReplyMessage(reply); if (reply.theirs) draw(); return; }
    dropLocalCopy();
    openDraft(reply.draft);
    showReplyMessage(reply);
  },
  takeBack: async () => {
    const reply = await post("take_back", { draft: state.draft.id });
    if (reply.draft) openDraft(reply.draft);
    showReplyMessage(reply);
  },
  discard: () => confirmAction(root, state.draft.sent ? _("Discard this draft? It leaves the list, and its version, if it waits for review, is retired.") : _("Discard this draft? It leaves the list; nothing else changes."), _("Discard it"), async () => {
    const reply = await post("discard", { draft: state.draft.id });
    if (!reply.discarded) return showReplyMessage(reply);
    dropLocalCopy();
    setAddress(null);
    await load(null);
    showReplyMessage(reply);
  }),
  again: () => actions.begin(copy(state.content), state.draft.id),
  // Continue with the merged content after an edit conflict.
  settle: (merged) => {
    acceptTheirs();
    state.content = merged;
    state.auto.clear();
    edited();
    draw();
    save();
  },
  fork: () => { const mine = copy(state.content); const from = state.draft.id; dropLocalCopy(); actions.begin(mine, from); },
  // Rebase the draft on the newer version, then apply the merged content as an edit.
  rebase: async (merged, version) => {
    const reply = await post("rebase", { draft: state.draft.id, revision: state.revision, version });
    if (reply.draft || reply.theirs) state.theirs = reply.draft ?? reply.theirs;
    if (reply.draft) return actions.settle(merged);
    showReplyMessage(reply);
    if (reply.theirs) draw();
  },
  drop: () => { const { theirs } = state; dropLocalCopy(); state.message = null; openDraft(theirs); },
};
function acceptTheirs() {
  const { theirs } = state;
  Object.assign(state, { theirs: null, base: copy(theirs.content), revision: theirs.revision, draft: theirs, message: null });
}
export function start(element) {
  root = element.querySelector(".df-root");
  Object.assign(state, { draw: () => { draw(); }, edited, redrawResult });
  const looked = () => { updateStatus(); redrawResult(); };
  connectLiveChecks({ filled: showDerived, broken: scheduleSave, looked });
  connectAutosave({ told: (anew) => (anew ? draw() : updateStatus()) });
  window.addEventListener("popstate", () => { saveOnLeaving(); load(new URLSearchParams(location.search).get("draft")); });
  load(new URLSearchParams(location.search).get("draft"));
}
