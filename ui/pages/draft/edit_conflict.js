// Resolve an edit conflict: show who saved when and which fields differ, and let the user choose per field.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { newId } from "./faults.js";
import { copy, same, state } from "./state.js";

const LONGEST = 160;
const labelOf = (name) => state.schema.template.find((one) => one.name === name)?.label ?? name;
function shortValue(value) {
  if (value === undefined || value === null) return _("empty");
  const text = typeof value === "string" ? value : Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(" / ") : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text || _("empty");
}
export const differingFields = () => [...new Set([...Object.keys(state.content), ...Object.keys(state.theirs.content)])]
  .filter((name) => !same(state.content[name], state.theirs.content[name]));

export function conflictSection(actions) {
  const { theirs } = state;
  const names = differingFields();
  const choices = names.map((name) => fieldChoice(name, theirs));
  const settle = () => {
    const merged = copy(state.content);
    names.forEach((name, at) => {
      if (choices[at].mine()) return;
      if (Object.hasOwn(theirs.content, name)) merged[name] = copy(theirs.content[name]);
      else delete merged[name];
    });
    if (theirs.newer) actions.rebase(merged, theirs.newer.version);
    else actions.settle(merged);
  };
  if (theirs.newer) return newerVersionSection(theirs.newer, choices, settle);
  return el("section", { class: "cn-note cn-warn df-conflict", role: "alert", "aria-label": _("Saved by somebody else") },
    el("strong", { tabindex: "-1", "data-path": "conflict" }, theirs.status === "open" ? _("{name} saved this draft at {time}, after you opened it.", { name: theirs.changed_by, time: theirs.changed_at }) : theirs.standing),
    el("p", {}, _("Nothing was overwritten: what you typed is below, and kept in this browser. These fields differ:")),
    choices.map((one) => one.box),
    el("div", { class: "df-row" },
      theirs.status === "open" ? actionButton(_("Save what is chosen"), settle, "cn-primary") : null,
      actionButton(_("Keep mine as a new draft"), actions.fork),
      actionButton(_("Drop mine and show theirs"), actions.drop)));
}
// The conflict with a newer version of the template, added from another draft since this draft was begun.
function newerVersionSection(newer, choices, settle) {
  return el("section", { class: "cn-note cn-warn df-conflict", role: "alert", "aria-label": _("A newer version") },
    el("strong", { tabindex: "-1", "data-path": "conflict" }, el("a", { href: newer.href, target: "_blank" }, _("{name} was added since this draft was begun.", newer))),
    el("p", {}, choices.length ? _("Choose what to keep of each field that differs (theirs is what that version says), then send it again:") : _("It says the same as your draft.")),
    choices.map((one) => one.box),
    el("div", { class: "df-row" },
      actionButton(_("Go on from version {version}", { version: newer.version }), settle, "cn-primary")));
}
const actionButton = (label, onclick, css = "") => el("button", { type: "button", class: `cn-button ${css}`, "data-path": label, onclick }, label);

// The choice between both values of one field; preselects the user's value if they changed it, else the
// other.
function fieldChoice(name, theirs) {
  const id = newId(), before = theirs.newer ? theirs.begun_from ?? {} : state.base;
  const touched = !same(state.content[name], before[name]);
  const option = (who, title, value, chosen) => {
    const input = el("input", { type: "radio", name: id, id: newId(), "data-path": `conflict-${name}-${who}` });
    input.checked = chosen;
    return { input, label: el("label", { class: "df-side", for: input.id }, input, el("span", {}, el("b", {}, title, " "), shortValue(value))) };
  };
  const mine = option("Mine", _("Mine:"), state.content[name], touched), other = option("Theirs", _("Theirs:"), theirs.content[name], !touched);
  return { mine: () => mine.input.checked, box: el("fieldset", { class: "df-chips" }, el("legend", {}, labelOf(name)), mine.label, other.label) };
}
