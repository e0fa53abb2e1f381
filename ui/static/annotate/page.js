// The annotate page. Gradio gives the element and the first item; from then on the page talks for itself.
import { tick, restart } from "./clock.js";
import { button, el, inField } from "./dom.js";
import { deciding } from "./deciding.js";
import { bar, connectFrame, progress, remarks, tell } from "./frame.js";
import * as hand from "./keep.js";
import { connectKeys, onKey } from "./keys.js";
import { beside, connectPanels, open } from "./panels.js";
import { reading } from "./reading.js";
import { feedback } from "./reveal.js";
import { connect, forgetQueue, lastWord, post, takePending } from "./server.js";
import { emptyForm, judgement, lacking, say, state } from "./state.js";

const FIRST_ITEM_WAIT_MS = 8000;
let root, live, codes;
const guides = {};

// ---------- what is sent
const about = (more) => ({ assignment_id: state.item.assignment_id, revision: state.item.revision, ...more });
const judged = () => about({ judgement: judgement(), active_ms: tick() });

function submit() {
  const lacks = lacking();
  if (state.sending) return;
  if (lacks) {
    say(lacks);
    // Whoever came from a text field is asked for a key: the field must not swallow it.
    const gold = state.form.item_judgement === "gold_wrong" && document.querySelector("#ab-gold");
    if (gold && !gold.value.trim()) gold.focus();
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
const actions = {
  enter: () => (state.feedback ? actions.forward() : submit()),
  skip: (reason) => leave("skip", () => about({ reason })),
  flag: (note) => { state.panel = null; state.draw(); tell("Saving…"); post("flag", () => about({ note })); },
  back: () => { hand.flush(); post("back", () => ({ assignment_id: state.item?.assignment_id ?? null })); },
  forward: () => { hand.flush(); post("load", () => ({})); },
  guide: () => (state.panel === "guide" || state.codes.html !== undefined || !state.item ? open("guide") : post("guide", () => ({ study_id: state.item.study_id }))),
};

// ---------- what comes back
function answered(name, reply, out) {
  root.removeAttribute("data-offline");
  if (name === "draft") { kept(reply, out); return; }
  tell("");
  if (reply.kind === "guide") { guided(reply.guide); return; }
  if (reply.kind === "error") { refused(name, reply); return; }
  const same = state.item && reply.item && reply.item.assignment_id === state.item.assignment_id;
  if (name !== "judge" && name !== "flag") {
    if (name === "submit" || name === "skip") hand.drop(out.assignment_id);
    forgetQueue();
  }
  if (reply.kind === "done") nothingLeft(reply.message);
  else if (reply.kind === "judged" && same) { state.item = reply.item; state.draw(); showGold(); }
  else if (reply.kind === "flagged" && same) { state.item = { ...state.item, flag: reply.item.flag }; state.draw(); tell(reply.item.flag ? "Flagged." : "The flag is taken away."); }
  else adopt(reply.item, { feedback: reply.kind === "feedback" });
  if (name === "submit") tell("Saved.");
  if (name === "skip") tell("Put aside.");
}
function waiting(text) {
  root.setAttribute("data-offline", "");
  tell(text);
}
function kept(reply, out) {
  tell(reply.kind ? reply.message : reply);
  if (reply === "Draft kept.") hand.dropIfSame(out.assignment_id, out.form);
}
function refused(name, reply) {
  state.sending = false;
  if (state.item && name !== "back") forgetQueue();
  if (reply.item) {
    const chosen = state.item?.assignment_id === reply.item.assignment_id ? state.form : null;
    hand.drop(reply.item.assignment_id);
    adopt(reply.item);
    if (chosen && JSON.stringify(chosen) !== JSON.stringify(state.form)) state.past = [chosen];
    say(`${reply.message}${state.past.length ? " What you had chosen here comes back with z." : ""}`, "bad");
  } else say(reply.message, name === "back" ? "note" : "bad");
}
// Beside the decisions, the gold comes into sight by itself; on a phone the page stays where the thumb is.
function showGold() {
  if (matchMedia("(min-width: 901px)").matches) root.querySelector(".ab-reveal")?.scrollIntoView({ block: "nearest" });
}
function nothingLeft(message) {
  state.item = null;
  state.sending = state.feedback = false;
  state.panel = state.message = null;
  state.done = message;
  state.draw();
  live.textContent = message;
}

function adopt(fresh, { feedback: told = false } = {}) {
  const moved = state.item?.assignment_id !== fresh.assignment_id;
  Object.assign(state, { item: fresh, past: [], pendingClass: null, adding: null, sending: false, feedback: told, done: null, message: null,
    form: { ...emptyForm(), ...((!told && hand.inHand(fresh)) || fresh.draft || {}) } });
  if (moved) { Object.assign(state, { panel: state.panel === "guide" ? "guide" : null, shown: "records", cell: [0, 1] }); window.scrollTo({ top: 0 }); restart(); }
  useCodes(fresh);
  state.draw();
  live.textContent = told ? "Saved. Feedback on your training item." : `Item ${Math.min(fresh.progress.done + 1, fresh.progress.total)} of ${fresh.progress.total}. ${fresh.question}`;
  if (!told && state.form.response_judgement !== null && fresh.revision === 0) state.firstJudgement();
}

// Most studies use the taxonomy that came with the page; one with its own is asked for once.
function useCodes(item) {
  const version = `${item.study_id} ${item.guideline} ${item.taxonomy}`;
  state.codes = guides[version] || { ...codes, html: undefined };
  if (!guides[version] && state.panel === "guide") state.panel = null;
  if (!guides[version] && item.taxonomy !== codes.taxonomy) post("guide", () => ({ study_id: item.study_id }));
}
function guided(guide) {
  const asked = state.codes.html === undefined && state.codes.taxonomy === guide.taxonomy;
  guides[`${guide.study_id} ${guide.version} ${guide.taxonomy}`] = guide;
  if (state.item?.study_id === guide.study_id) state.codes = guide;
  state.draw();
  if (asked && state.panel !== "guide") open("guide");
}

// ---------- drawing
function draw() {
  const held = root.contains(document.activeElement) ? document.activeElement : null;
  const key = held && (held.id ? "#" + held.id : held.dataset.k ? `[data-k="${CSS.escape(held.dataset.k)}"]` : null);
  const caret = held && held.selectionStart !== undefined ? [held.selectionStart, held.selectionEnd] : null;
  const scrolled = [...root.querySelectorAll("[data-scroll]")].map((box) => [box.dataset.scroll, box.scrollTop, box.scrollLeft]);
  const same = root.dataset.assignment === (state.item?.assignment_id ?? "");
  root.dataset.assignment = state.item ? state.item.assignment_id : "";
  const before = root.querySelector(".ab-decide")?.getBoundingClientRect().top;
  root.classList.toggle("ab-keys-off", !state.keysOn);
  root.toggleAttribute("data-busy", state.sending);
  root.replaceChildren(...(state.item ? work() : [idle()]));
  if (same) for (const [name, top, left] of scrolled) root.querySelector(`[data-scroll="${name}"]`)?.scrollTo(left, top);
  // What opens above the decisions must not push them away from under the thumb.
  const after = root.querySelector(".ab-decide")?.getBoundingClientRect().top;
  if (same && before < window.innerHeight && after !== before) window.scrollBy({ top: after - before, behavior: "instant" });
  root.querySelector(".ab-adding")?.scrollIntoView({ block: "nearest" });
  const again = (same || held?.tagName === "BUTTON") && key && root.querySelector(key);
  if (again) { again.focus({ preventScroll: true }); if (caret && again.setSelectionRange) again.setSelectionRange(...caret); }
}
function work() {
  const side = state.feedback ? feedback(actions.forward) : deciding();
  return [progress(), remarks(), el("div", { class: "ab-grid" + (state.panel === "guide" || state.panel === "keys" ? " ab-with-panel" : "") },
    beside(), reading(), el("div", { class: "ab-side" }, side, state.feedback ? null : bar()))].filter(Boolean);
}
function idle() {
  const text = state.done || state.message?.text || "Loading your next item…";
  return el("div", { class: "ab-idle" }, el("p", { class: "cn-note", role: "status" }, text),
    state.done ? button("Look at my last item again ", "[", actions.back, { class: "cn-button" }) : null,
    state.done ? button("Look for more ", "]", actions.forward, { class: "cn-button" }) : null,
    el("p", { class: "ab-state", role: "status" }));
}

export function start(element, props, watch) {
  root = element.querySelector(".ab-root");
  live = element.querySelector(".ab-live");
  codes = state.codes = props.codes;
  Object.assign(state, { draw, changed: hand.keep, firstJudgement: () => post("judge", () => (state.item.revision === 0 && state.form.response_judgement ? judged() : null)) });
  connect({ waiting, answered });
  [connectFrame, connectKeys, connectPanels].forEach((give) => give(actions));
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => { if (document.hidden && hand.isDue() && hand.draft()) lastWord("draft", hand.draft()); });
  let begun = false;
  const begin = () => {
    if (begun || !props.value?.kind) return;
    begun = true;
    const pending = takePending();
    if (!pending) { answered("load", props.value, {}); return; }
    // The page before this one went without hearing an answer: that comes first, then whatever is open now.
    post(pending.name, () => pending.out);
    post("load", () => ({}));
  };
  watch("value", begin);
  draw();
  begin();
  setTimeout(() => { if (!begun) { begun = true; post("load", () => ({})); } }, FIRST_ITEM_WAIT_MS);
}
