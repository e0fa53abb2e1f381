// What the model was asked, whether its text was cut off, what it thought before: for pages that judge an answer.
import { el } from "./dom.js";
import { _ } from "./language.js";

const ROLES = { system: _("Instructions (system message)"), user: _("Task (user message)") };

// A fold that stays open or closed in redraws. The focus leaves it after a mouse click, so that Enter still submits.
export function fold(name, title, { open = false }, ...content) {
  const onclick = (event) => {
    if (event.detail > 0) event.currentTarget.blur();
  };
  return el(
    "details",
    { class: "cn-fold", "data-fold": name, open },
    el("summary", { "data-k": "fold-" + name, onclick }, title),
    content,
  );
}

const longText = (name, label, ...content) =>
  el(
    "pre",
    { class: "cn-long", tabindex: "0", role: "group", "aria-label": label, "data-k": name, "data-scroll": name },
    content,
  );

// One line under the question: the form that the prompt demands, in its own sentences; none where it is not known.
export function demandedForm({ asked }) {
  if (asked.form === null) return null;
  return el("p", { class: "cn-demand" }, el("b", {}, _("The model was told to answer like this:"), " "), asked.form);
}

// All messages, letter for letter; the context is put back where it stood in them.
export function wholePrompt({ asked, context }) {
  const turns = asked.turns.map(({ role, parts }, place) => {
    const title = ROLES[role] || role;
    return [el("p", { class: "cn-turn" }, title), longText(`turn-${place}`, title, parts.join(context))];
  });
  return fold("prompt", _("Everything the model was asked"), {}, turns.length ? turns : el("p", {}, _("The prompt is {unknown}", asked)));
}

// One line under the answer, if it was cut off.
export const howItEnded = ({ ended }) => (ended ? el("p", { class: "cn-ended" }, ended) : null);

export function modelThinking({ thinking }, name = "thinking") {
  if (!thinking) return null;
  const title = _("The model's thinking before its answer");
  return fold(name, [title, el("small", {}, " ", _("not judged as the answer"))], {}, longText(name, title, thinking));
}
