// Contests, flags and threads: preview the consequences of upholding a contest, and uphold, reject or answer
// with a reason, which the annotator reads.
import { button, dataTable, el, group, option } from "/static/components/dom.js";
import { _ } from "/static/components/language.js";
import { threadMessages } from "/static/components/thread.js";
import { labelledTextArea } from "./decision_form.js";
import { showMessage, state } from "./state.js";

let send = () => {};
export const connectContestsAndFlags = (given) => {
  send = given;
};
const actionButton = (text, onclick, css = "") => button(text, null, onclick, { class: `cn-button ${css}`, "data-k": text });

// The text that the annotator gets, with what to keep in mind, and whether it is a ruling.
function reasonField(key, title, hint) {
  const { texts } = state.item, id = "aj-ruling-" + key;
  const tick = el("input", { type: "checkbox", id, "aria-describedby": id + "-hint", onchange: (event) => { state.rulings[key] = event.target.checked; } });
  tick.checked = Boolean(state.rulings[key]);
  return [
    labelledTextArea("aj-why-" + key, title, hint, state.why[key] || "", (text) => {
      state.why[key] = text;
    }),
    el("p", { class: "aj-hint" }, texts.answer),
    el("p", { class: "aj-tick" }, tick, el("label", { for: id }, _("A ruling, for the guideline"))),
    el("p", { class: "aj-hint", id: id + "-hint" }, texts.ruling),
  ];
}
function withReason(key, go) {
  const comment = (state.why[key] || "").trim();
  if (comment) {
    go({ comment, ruling: Boolean(state.rulings[key]) });
    return;
  }
  showMessage("Write a comment first: it is kept with the decision.", "warn");
  document.querySelector("#aj-why-" + key)?.focus();
}

export function contestSection(one) {
  const shown = state.upholdPreview?.claim === one.key;
  return el(
    "section",
    { class: "aj-claim", "aria-label": "Contest" },
    el("h2", {}, "Contest: " + one.title + (one.proposed ? `; proposed ${one.proposed}` : "")),
    one.rationales.map((text) => el("blockquote", {}, text)),
    !state.item.may_decide_claims
      ? el("p", {}, "You have judged this question yourself: another adjudicator decides.")
      : shown
        ? upholdPreviewSection(one)
        : actionButton("See what upholding does, and decide", () => send("consequences", { claim: one.key })),
  );
}
function validityFindings(one) {
  const { upholdPreview } = state;
  if (!upholdPreview.faults.length)
    return [
      el("p", {}, "No validity rule finds a fault: it is one of wording or judgement. Choose how far it goes:"),
      group(
        "Taken out",
        null,
        upholdPreview.scopes.map((scope) =>
          option(scope.name, null, upholdPreview.scope === scope.value, () => send("consequences", { claim: one.key, scope: scope.value })),
        ),
        "cn-one",
      ),
    ];
  const unchecked = upholdPreview.unchecked ? `, ${upholdPreview.unchecked} could not be examined` : "";
  return [
    el("p", {}, "The validity rules find a fault in this question:"),
    el("ul", {}, upholdPreview.faults.map((text) => el("li", {}, el("code", {}, text)))),
    el("p", {}, `Tested on ${upholdPreview.tested} instances of ${upholdPreview.template}: ${upholdPreview.n + upholdPreview.already} fail${unchecked}.`),
  ];
}
function removedInstances({ taken, n }) {
  if (!taken.length) return null;
  const line = (one) => el("li", {}, el("code", {}, one.id), ` ${one.what}${one.why ? ": " + one.why : ""}`);
  return el(
    "details",
    { "data-fold": "taken" },
    el("summary", {}, n > taken.length ? `The first ${taken.length} of them` : "Which ones"),
    el(
      "div",
      { class: "aj-taken", tabindex: "0", role: "region", "aria-label": "Instances that go out" },
      el("ul", {}, taken.map(line)),
    ),
  );
}
function accuracyEffects({ effects: rows }) {
  const made = dataTable(
    "Accuracy with its 95 % interval",
    ["Model", "Now", "If upheld"],
    rows.map((row) => row.map((text) => el("td", {}, text))),
  );
  made.setAttribute("aria-label", "Accuracy before and after");
  return made;
}
function upholdPreviewSection(one) {
  const { upholdPreview } = state, { n } = upholdPreview;
  const about = { claim: one.key, scope: upholdPreview.scope || "group" };
  const uphold = (said) => send("uphold", { ...about, mark: upholdPreview.mark, ...said });
  const reject = (said) => send("reject", { claim: one.key, ...said });
  const notNow = () => {
    state.upholdPreview = null;
    state.draw();
  };
  return el(
    "section",
    { class: "aj-uphold-preview", tabindex: "-1", "aria-label": "What upholding does" },
    el("h3", {}, "What upholding does"),
    validityFindings(one),
    el(
      "p",
      {},
      el("strong", {}, `${n} instance${n === 1 ? "" : "s"} go${n === 1 ? "es" : ""} out, for every model, right or wrong`),
      upholdPreview.already ? `; ${upholdPreview.already} more are out already` : "",
      `. ${upholdPreview.template} goes back to review.`,
    ),
    removedInstances(upholdPreview),
    accuracyEffects(upholdPreview),
    reasonField(one.key, "Why", "kept with the decision"),
    el(
      "div",
      { class: "aj-row" },
      actionButton(`Uphold: take out ${n}`, () => withReason(one.key, uphold), "cn-primary"),
      actionButton("Reject", () => withReason(one.key, reject)),
      actionButton("Not now", notNow, "cn-quiet"),
    ),
  );
}

export function flagSection(one) {
  const answer = (said) => send("answer_flag", { flag: one.key, ...said });
  return el(
    "section",
    { class: "aj-claim", "aria-label": "Flag" },
    el("h2", {}, "Flag"),
    el("blockquote", {}, one.note),
    reasonField(one.key, "Answer", "kept in the log"),
    actionButton("Answer the flag", () => withReason(one.key, answer)),
  );
}

function threadSection(one) {
  const answer = (said) => send("answer_thread", { thread: one.key, ...said });
  const form = () => [
    reasonField(one.key, "Answer", "kept in the log"),
    el(
      "div",
      { class: "aj-row" },
      actionButton(_("Send the answer"), () => withReason(one.key, answer)),
      one.waits ? actionButton(_("Needs no answer"), () => send("settle_thread", { thread: one.key }), "cn-quiet") : null,
    ),
  ];
  return el(
    "div",
    { class: "aj-thread" },
    threadMessages(one.messages),
    one.waits
      ? form()
      : el("details", { "data-fold": one.key }, el("summary", {}, _("Add to the answer")), form()),
  );
}
export function threadsSection() {
  const { threads, texts } = state.item;
  if (!threads.length) return null;
  return el(
    "section",
    { class: "aj-claim", "aria-label": _("Threads") },
    el("h2", {}, _("Said with annotators")),
    el("p", { class: "aj-hint" }, texts.threads),
    threads.map(threadSection),
  );
}
