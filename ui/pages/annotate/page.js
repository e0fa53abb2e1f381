// The annotate page. Gradio gives the element and the first item; from then on the page talks for itself.
import { button, el } from "/static/components/dom.js";
import { deciding } from "./deciding.js";
import { bar, connectFrame, progress, remarks, terms } from "./frame.js";
import { useCommon } from "./guides.js";
import * as hand from "./keep.js";
import { connectKeys, onKey } from "./keys.js";
import { beside, connectPanels } from "./panels.js";
import { reading } from "./reading.js";
import { answered, waiting } from "./receiving.js";
import { feedback } from "./reveal.js";
import { actions, judge } from "./sending.js";
import { connect, lastWord, post, takePending } from "./server.js";
import { state } from "./state.js";

const FIRST_ITEM_WAIT_MS = 8000;
let root;

// All is drawn anew; what was focused, scrolled and half written stays as it was.
function draw() {
  const held = root.contains(document.activeElement) ? document.activeElement : null;
  const key =
    held && (held.id ? "#" + held.id : held.dataset.k ? `[data-k="${CSS.escape(held.dataset.k)}"]` : null);
  const caret = held && held.selectionStart !== undefined ? [held.selectionStart, held.selectionEnd] : null;
  const scrolled = [...root.querySelectorAll("[data-scroll]")].map((box) => [
    box.dataset.scroll,
    box.scrollTop,
    box.scrollLeft,
  ]);
  const same = root.dataset.assignment === (state.item?.assignment_id ?? "");
  root.dataset.assignment = state.item ? state.item.assignment_id : "";
  const before = root.querySelector(".ab-decide")?.getBoundingClientRect().top;
  root.classList.toggle("ab-keys-off", !state.keysOn);
  root.toggleAttribute("data-busy", state.sending);
  root.replaceChildren(...(state.item ? work() : [idle()]));
  if (same)
    for (const [name, top, left] of scrolled)
      root.querySelector(`[data-scroll="${name}"]`)?.scrollTo(left, top);
  // What opens above the decisions must not push them away from under the thumb.
  const after = root.querySelector(".ab-decide")?.getBoundingClientRect().top;
  if (same && before < window.innerHeight && after !== before)
    window.scrollBy({ top: after - before, behavior: "instant" });
  root.querySelector(".ab-adding")?.scrollIntoView({ block: "nearest" });
  const again = (same || held?.tagName === "BUTTON") && key && root.querySelector(key);
  if (again) {
    again.focus({ preventScroll: true });
    if (caret && again.setSelectionRange) again.setSelectionRange(...caret);
  }
}
function work() {
  const side = state.feedback ? feedback(actions.forward) : deciding();
  return [
    progress(),
    terms(),
    remarks(),
    el(
      "div",
      { class: "ab-grid" + (state.panel === "guide" || state.panel === "keys" ? " ab-with-panel" : "") },
      beside(),
      reading(),
      el("div", { class: "ab-side" }, side, state.feedback ? null : bar()),
    ),
  ].filter(Boolean);
}
function idle() {
  const text = state.done || state.message?.text || "Loading your next item…";
  return el(
    "div",
    { class: "ab-idle" },
    el("p", { class: "cn-note", role: "status" }, text),
    state.done ? button("Look at my last item again ", "[", actions.back, { class: "cn-button" }) : null,
    state.done ? button("Look for more ", "]", actions.forward, { class: "cn-button" }) : null,
    el("p", { class: "ab-state", role: "status" }),
  );
}

// The first item, once: what the page before this one heard no answer to goes before it.
function begin(reply) {
  const pending = takePending();
  if (pending) post(pending.name, () => pending.out);
  if (pending || !reply) post("load", () => ({}));
  else answered("load", reply, {});
}

export function start(element, props, watch) {
  root = element.querySelector(".ab-root");
  useCommon(props.codes);
  Object.assign(state, { draw, changed: hand.keep, firstJudgement: judge });
  connect({ waiting, answered });
  [connectFrame, connectKeys, connectPanels].forEach((give) => give(actions));
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && hand.isDue() && hand.draft()) lastWord("draft", hand.draft());
  });
  draw();
  let begun = false;
  const once = (reply) => {
    if (begun) return;
    begun = true;
    begin(reply);
  };
  watch("value", () => props.value?.kind && once(props.value));
  if (props.value?.kind) once(props.value);
  setTimeout(once, FIRST_ITEM_WAIT_MS);
}
