// The messages of a thread between an annotator and the adjudicators, on the annotate and adjudicate pages.
import { el } from "./dom.js";
import { _ } from "./language.js";

function message({ who, when, text, ruling, claim, quote }) {
  return el(
    "li",
    {},
    claim ? el("p", { class: "cn-muted" }, claim) : null,
    quote ? el("blockquote", {}, quote) : null,
    el("p", { class: "cn-muted" }, el("b", {}, who), " ", when, ruling ? el("span", { class: "cn-ruling" }, _("Ruling")) : null),
    el("p", { class: "cn-said" }, text),
  );
}
export const threadMessages = (messages) => el("ol", { class: "cn-thread" }, messages.map(message));
