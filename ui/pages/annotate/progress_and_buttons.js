// The page's layout around the item: progress above; message and buttons below.
import { button, el } from "/static/components/dom.js";
import { toggleKeys } from "./keyboard_shortcuts.js";
import { asking, open } from "./panels.js";
import { state } from "./state.js";

let actions = {},
  stateLine = "";
export const connectFrame = (given) => {
  actions = given;
};

const spell = (ms) =>
  ms < 90000 ? `${Math.max(1, Math.round(ms / 1000))} s` : `${Math.round(ms / 60000)} min`;

// The annotator's pace and estimated time left; shown only to the annotator.
function pace({ done, total, median_ms: median }) {
  if (!median || total <= done) return null;
  return el(
    "span",
    { class: "ab-pace" },
    `${spell(median)} an item, about ${spell(median * (total - done))} left`,
  );
}

export function progress() {
  const { item, keysOn } = state,
    { done, total } = item.progress;
  const quiet = { class: "cn-button cn-quiet" };
  return el(
    "div",
    { class: "ab-progress" },
    el("span", {}, `${item.study}: ${done} of ${total} done`),
    el("progress", { value: String(done), max: String(total), "aria-label": "Progress" }),
    pace(item.progress),
    el(
      "span",
      { class: "ab-tools" },
      button("Guideline ", "i", actions.guide, {
        ...quiet,
        "data-k": "guide",
        "aria-expanded": String(state.panel === "guide"),
      }),
      button("Key sheet ", "?", () => open("keys"), {
        ...quiet,
        "data-k": "keys",
        "aria-expanded": String(state.panel === "keys"),
      }),
      button(keysOn ? "Keys are on" : "Keys are off", null, toggleKeys, {
        ...quiet,
        "aria-pressed": String(keysOn),
        "data-k": "toggle",
      }),
    ),
  );
}

// Terms of use; only restricted data has any.
export function terms() {
  const { data_use: said } = state.item;
  return said
    ? el(
        "details",
        { class: "cn-terms" },
        el("summary", {}, "Credentialed data: do not copy it elsewhere."),
        el("p", {}, said),
      )
    : null;
}

export function remarks() {
  const { item } = state,
    said = [];
  if (item.training && !state.feedback) said.push("Training: you see how it compares after you submit.");
  if (item.answered && !state.feedback)
    said.push("You submitted this item before; submitting again adds a revision.");
  if (item.status === "skipped") said.push(`You put this aside: ${item.skip_reason}`);
  if (item.flag) said.push(`Flagged: ${item.flag}`);
  return said.length ? el("p", { class: "ab-remark" }, said.join(" ")) : null;
}

function messageBox() {
  const { message } = state;
  return el(
    "div",
    { class: "ab-message" + (message ? ` cn-note cn-${message.tone}` : ""), role: "alert" },
    message ? message.text : "",
  );
}

// Set the save status without redrawing, so as not to disturb typing.
export function tell(text) {
  stateLine = text;
  const line = document.querySelector(".ab-state");
  if (line && line.textContent !== text) line.textContent = text;
}

export function bar() {
  const quiet = { class: "cn-button cn-quiet" };
  return el(
    "div",
    { class: "ab-bar" },
    messageBox(),
    asking() ||
      el(
        "div",
        { class: "ab-row" },
        button("Back ", "[", actions.back, { ...quiet, "data-k": "back" }),
        state.item.answered
          ? button("Forward ", "]", actions.forward, { ...quiet, "data-k": "forward" })
          : button("Skip ", "s", () => open("skip"), { ...quiet, "data-k": "skip" }),
        button(state.item.flag ? "Flagged " : "Flag ", "q", () => open("flag"), {
          ...quiet,
          "data-k": "flag",
        }),
        button("Submit ", "⏎", actions.enter, { class: "cn-button cn-primary", "data-k": "submit" }),
      ),
    el("p", { class: "ab-state", role: "status" }, stateLine),
  );
}
