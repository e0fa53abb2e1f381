// Answers from adjudicators: the count beside the progress, and the panel in which they are read and replied to.
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { threadMessages } from "../components/message_thread.js";
import { state } from "./state.js";

let actions = { answers: () => {}, reply: () => {} };
export const connectAnswers = (given) => {
  actions = given;
};
const typed = {}; // replies that are not sent yet, by assignment

// The count; nothing while there is no answer to read.
export function answersButton() {
  const { answers, panel } = state;
  if (!answers?.n && panel !== "answers") return null;
  return button(panel === "answers" ? _("Answers") : answers.label, null, actions.answers, {
    class: "cn-button cn-quiet ab-answers",
    "data-k": "answers",
    "aria-expanded": String(panel === "answers"),
  });
}
// On the page without an item, which has no panels.
export const answersLink = () =>
  state.answers?.n
    ? el("a", { class: "cn-button", href: state.answers.address }, state.answers.label)
    : null;

export function answersReceived(reply) {
  if (reply.sent) delete typed[reply.sent];
  Object.assign(state, { threads: reply.threads, answerTexts: reply.texts, panel: "answers" });
  state.draw();
  if (!reply.sent) document.querySelector(`[data-panel] [data-first]`)?.focus();
}

function replyForm({ assignment_id }) {
  const id = "ab-reply-" + assignment_id;
  const text = el("textarea", { id, rows: "2", maxlength: "2000", oninput: () => (typed[assignment_id] = text.value) });
  text.value = typed[assignment_id] || "";
  const send = (event) => {
    event.preventDefault();
    if (text.value.trim()) actions.reply(assignment_id, text.value.trim());
  };
  return el(
    "form",
    { class: "ab-reply", onsubmit: send },
    el("label", { for: id }, _("Reply")),
    text,
    el("button", { type: "submit", class: "cn-button cn-quiet", "data-k": "send-" + assignment_id }, _("Send the reply")),
  );
}
function thread(one) {
  return el(
    "section",
    {},
    el("h3", {}, el("a", { href: one.address }, one.question), " ", el("small", {}, one.study)),
    threadMessages(one.messages),
    one.open ? replyForm(one) : null,
  );
}
export function answersView() {
  const { threads, answerTexts } = state;
  return [
    el("p", { class: "ab-hint" }, answerTexts.rule),
    el("p", { class: "ab-hint" }, answerTexts.after),
    threads.length ? threads.map(thread) : el("p", {}, answerTexts.none),
  ];
}
