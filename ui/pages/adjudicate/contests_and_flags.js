// Contests, flags and threads: preview the consequences of upholding a contest, and uphold, reject or answer
// with a reason, which the annotator reads.
import { button, dataTable, el, group, option } from "../components/dom.js";
import { _, ngettext } from "../components/language.js";
import { threadMessages } from "../components/message_thread.js";
import { labelledTextArea } from "./decision_form.js";
import { showMessage, state } from "./state.js";

let send = () => {};
export const connectContestsAndFlags = (given) => {
  send = given;
};
const actionButton = (name, text, onclick, css = "") => button(text, null, onclick, { class: `cn-button ${css}`, "data-k": name });

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
  showMessage(_("Write a comment first: it is kept with the decision."), "warn");
  document.querySelector("#aj-why-" + key)?.focus();
}

export function contestSection(one) {
  const shown = state.upholdPreview?.claim === one.key;
  return el(
    "section",
    { class: "aj-claim", "aria-label": _("Contest") },
    el("h2", {}, _("Contest: {claim}", { claim: one.title })),
    one.rationales.map((text) => el("blockquote", {}, text)),
    !state.item.may_decide_claims
      ? el("p", {}, _("You have judged this question yourself: another adjudicator decides."))
      : shown
        ? upholdPreviewSection(one)
        : actionButton("see-" + one.key, _("See what upholding does, and decide"), () => send("consequences", { claim: one.key })),
  );
}
function validityFindings(one) {
  const { upholdPreview } = state;
  if (!upholdPreview.faults.length)
    return [
      el("p", {}, _("No validity rule finds a fault: it is one of wording or judgement. Choose how far it goes:")),
      group(
        _("Taken out"),
        null,
        upholdPreview.scopes.map((scope) =>
          option("scope-" + scope.value, scope.name, null, upholdPreview.scope === scope.value, () => send("consequences", { claim: one.key, scope: scope.value })),
        ),
        "cn-one",
      ),
    ];
  const { tested, template, unchecked } = upholdPreview;
  const counts = { tested, template, unchecked, failed: upholdPreview.n + upholdPreview.already };
  return [
    el("p", {}, _("The validity rules find a fault in this question:")),
    el("ul", {}, upholdPreview.faults.map((text) => el("li", {}, el("code", {}, text)))),
    el(
      "p",
      {},
      unchecked
        ? _("Tested on {tested} instances of {template}: {failed} fail, {unchecked} could not be examined.", counts)
        : _("Tested on {tested} instances of {template}: {failed} fail.", counts),
    ),
  ];
}
function removedInstances({ taken, n }) {
  if (!taken.length) return null;
  const line = (one) => el("li", {}, el("code", {}, one.id), ` ${one.what}${one.why ? ": " + one.why : ""}`);
  return el(
    "details",
    { "data-fold": "taken" },
    el("summary", {}, n > taken.length ? _("The first {n} of them", { n: taken.length }) : _("Which ones")),
    el(
      "div",
      { class: "aj-taken", tabindex: "0", role: "region", "aria-label": _("Instances that go out") },
      el("ul", {}, taken.map(line)),
    ),
  );
}
function accuracyEffects({ effects: rows }) {
  const made = dataTable(
    _("Accuracy with its 95 % interval"),
    [_("Model"), _("Now"), _("If upheld")],
    rows.map((row) => row.map((text) => el("td", {}, text))),
  );
  made.setAttribute("aria-label", _("Accuracy before and after"));
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
    { class: "aj-uphold-preview", tabindex: "-1", "aria-label": _("What upholding does") },
    el("h3", {}, _("What upholding does")),
    validityFindings(one),
    el(
      "p",
      {},
      el(
        "strong",
        {},
        ngettext(
          "{n} instance goes out, for every model, right or wrong",
          "{n} instances go out, for every model, right or wrong",
          n,
        ),
      ),
      upholdPreview.already ? ["; ", _("{n} more are out already", { n: upholdPreview.already })] : "",
      ". ",
      _("{template} goes back to review.", upholdPreview),
    ),
    removedInstances(upholdPreview),
    accuracyEffects(upholdPreview),
    reasonField(one.key, _("Why"), _("kept with the decision")),
    el(
      "div",
      { class: "aj-row" },
      actionButton("uphold", _("Uphold: take out {n}", { n }), () => withReason(one.key, uphold), "cn-primary"),
      actionButton("reject", _("Reject"), () => withReason(one.key, reject)),
      actionButton("not-now", _("Not now"), notNow, "cn-quiet"),
    ),
  );
}

export function flagSection(one) {
  const answer = (said) => send("answer_flag", { flag: one.key, ...said });
  return el(
    "section",
    { class: "aj-claim", "aria-label": _("Flag") },
    el("h2", {}, _("Flag")),
    el("blockquote", {}, one.note),
    reasonField(one.key, _("Answer"), _("kept in the log")),
    actionButton("answer-" + one.key, _("Answer the flag"), () => withReason(one.key, answer)),
  );
}

function threadSection(one) {
  const answer = (said) => send("answer_thread", { thread: one.key, ...said });
  const form = () => [
    reasonField(one.key, _("Answer"), _("kept in the log")),
    el(
      "div",
      { class: "aj-row" },
      actionButton("send-" + one.key, _("Send the answer"), () => withReason(one.key, answer)),
      one.waits ? actionButton("settle-" + one.key, _("Needs no answer"), () => send("settle_thread", { thread: one.key }), "cn-quiet") : null,
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
