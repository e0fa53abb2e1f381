// The codebook over the item, and the button that opens it.
import { closeCodebook, codebookView, openCodebook } from "../components/codebook.js";
import { button, el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { state } from "./state.js";

const quiet = (name, text, onclick, more = {}) =>
  button(text, null, onclick, { class: "cn-button cn-quiet", "data-k": name, ...more });

export const codebookButton = () =>
  quiet("codebook", _("Codebook"), () => openCodebook(), { title: "⇧ i", "aria-expanded": String(state.codebookOpen) });

export function codebookPanel() {
  if (!state.codebookOpen) return null;
  const title = _("Codebook");
  return el(
    "aside",
    { class: "aj-codebook", "data-panel": "codebook", "aria-label": title },
    el("div", { class: "aj-row" }, el("h2", {}, title), quiet("close", _("Close"), closeCodebook)),
    el(
      "div",
      { class: "aj-codebook-body", tabindex: "0", role: "region", "aria-label": title, "data-first": true, "data-scroll": "codebook" },
      codebookView(),
    ),
  );
}
