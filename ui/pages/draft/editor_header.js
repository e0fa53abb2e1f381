// The editor's header: the draft's origin, save status and actions.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { faultText, goToFirst } from "./faults.js";
import { state } from "./state.js";

const SAVED = { "": _("Saved"), due: _("Not saved yet …"), sent: _("Saving …"), refused: _("Not saved: kept in this browser") };
const actionButton = (label, onclick, css = "", more = {}) =>
  el("button", { type: "button", class: `cn-button ${css}`, "data-path": label, onclick, ...more }, label);

const linked = (one) => one.href ? el("a", { href: one.href }, one.text) : one.text;

export function editorHeader(actions) {
  const { draft } = state;
  const open = draft.status === "open";
  return el("div", { class: "df-head" },
    el("div", { class: "df-row" }, actionButton(_("All drafts"), actions.leave, "cn-quiet"),
      el("h2", { class: "df-title" })),
    draft.facts.length ? el("ul", { class: "df-facts" }, draft.facts.map((one) => el("li", {}, linked(one), (one.links ?? []).map((link, at) => [at ? ", " : " ", linked(link)]), one.more ? ` ${one.more}` : ""))) : null,
    el("div", { class: "df-row" },
      el("div", { class: "df-row", role: "group", "aria-label": _("Written as") },
        actionButton(_("Form"), () => actions.show("form"), "cn-quiet", { "aria-pressed": String(state.mode === "form") }),
        actionButton(_("YAML"), () => actions.show("yaml"), "cn-quiet", { "aria-pressed": String(state.mode === "yaml") })),
      open ? actionButton(_("Send to review"), actions.submit, "cn-primary") : null,
      draft.status === "submitted" ? actionButton(_("Take it back"), actions.takeBack, "cn-quiet") : null,
      open ? actionButton(_("Discard"), actions.discard, "cn-quiet") : null,
      !open || draft.sent ? actionButton(_("New draft from this"), actions.again, "cn-quiet") : null),
    el("div", { class: "df-asking" }));
}
// The sticky status bar: save status and number of faults.
export function statusBar() {
  return el("div", { class: "df-standing" }, el("span", { class: "df-saved", role: "status" }), el("span", { class: "df-count", role: "status" }),
    el("a", { class: "df-down", href: "#df-result" }, _("Preview")));
}
export function updateHeader(root) {
  const title = root.querySelector(".df-title"), saved = root.querySelector(".df-saved");
  if (!title) return;
  title.textContent = state.content.id || _("A new template");
  const text = state.draft.status !== "open" ? state.draft.standing : state.yamlError ? _("Not saved: the YAML cannot be read yet; kept in this browser") : SAVED[state.saving];
  const key = `${text}${Boolean(state.theirs)}`;
  if (saved.dataset.text === key) return;
  saved.dataset.text = key;
  saved.replaceChildren(text, ...(state.theirs ? [" ", actionButton(state.theirs.newer ? _("See what version {version} says", state.theirs.newer) : _("See what {name} saved", { name: state.theirs.changed_by }), () => root.querySelector(".df-conflict")?.scrollIntoView(), "cn-quiet")] : []));
  saved.parentElement.classList.toggle("cn-warn", Boolean(state.theirs));
}
export function updateFaultCount(root, { lost, empty, wrong }) {
  const count = root.querySelector(".df-count"), box = root.querySelector(".df-lost");
  if (!count) return;
  const some = empty + wrong;
  const parts = [wrong ? _("{n} to mend", { n: wrong }) : "", empty ? _("{n} to fill in", { n: empty }) : ""].filter(Boolean);
  const text = state.yamlError ? "" : parts.join(", ") || (state.looked ? _("Nothing to mend") : "");
  if (count.dataset.text !== text) {
    count.dataset.text = text;
    count.replaceChildren(text, ...(some && state.mode === "form" ? [" ", actionButton(_("Go to the first"), goToFirst, "cn-quiet")] : []));
  }
  box.replaceChildren(...(lost.length ? [el("ul", { class: "cn-note cn-bad" }, lost.map((one) => el("li", {}, faultText(one))))] : []));
}
// Ask for confirmation before a destructive action.
export function confirmAction(root, text, yes, act) {
  const box = root.querySelector(".df-asking");
  const leave = () => box.replaceChildren();
  box.replaceChildren(el("div", { class: "cn-note cn-warn", role: "alertdialog", "aria-label": text, onkeydown: (event) => { if (event.key === "Escape") leave(); } },
    el("p", {}, text),
    el("div", { class: "df-row" }, actionButton(_("Go on writing"), leave), actionButton(yes, act))));
  box.querySelector("button").focus();
}
