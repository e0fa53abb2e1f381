// The list of drafts, and the button for a new one.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { state } from "./state.js";

const GROUPS = [["open", _("In work")], ["submitted", _("Sent to review")]];
export function draftList(actions) {
  return el("div", {},
    el("div", { class: "df-row" }, el("button", { type: "button", class: "cn-button cn-primary", "data-path": "new", onclick: () => actions.begin() }, _("New draft"))),
    state.drafts.length ? null : el("p", { class: "cn-note" }, _("No draft yet. Begin one here, from a version on the page Bank, or from a failure.")),
    GROUPS.map(([status, title]) => {
      const some = state.drafts.filter((one) => one.status === status);
      return some.length ? el("section", {}, el("h2", {}, title), some.map((one) => draftCard(one, actions))) : null;
    }));
}
function draftCard(one, actions) {
  const name = one.name || _("without an id yet");
  return el("article", { class: "df-card", "aria-label": name },
    el("div", { class: "df-card-head" }, el("h3", {}, name), el("span", { class: "cn-muted" }, one.about)),
    one.wording ? el("p", {}, one.wording) : null,
    el("a", { class: "cn-button cn-quiet df-link", href: one.href, "data-path": one.id, "aria-label": _("Open {name}", { name }),
      onclick: (event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); actions.open(one.id); } }, _("Open")));
}
