// The terms of data that are not open, folded under a line that says what holds for them.
import { el } from "./dom.js";
import { _ } from "./language.js";

// `said` is the notice of the server, or null for open data. It names an agreement where one is known.
export function dataUseNote(said) {
  if (!said) return null;
  const line = said.startsWith("credentialed data")
    ? _("Credentialed data: do not copy it elsewhere.")
    : _("Not known to be open: keep it on this machine.");
  return el("details", { class: "cn-terms" }, el("summary", {}, line), el("p", {}, said));
}
