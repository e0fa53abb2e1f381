// The key sheet.
import { el } from "/static/components/dom.js";
import { SUGGESTION_KEYS } from "./reveal.js";
import { ITEMS, RESPONSES, state } from "./state.js";

export function sheet() {
  const line = ([key, text]) => el("li", {}, el("kbd", {}, key), " " + text);
  const part = (title, lines) =>
    el("section", {}, el("h3", {}, title), el("ul", { class: "ab-keys" }, lines.map(line)));
  return el(
    "div",
    { class: "ab-sheet" },
    part(
      "The response",
      RESPONSES.map(([, k, name]) => [k, name]),
    ),
    part("A failure", [
      ...state.codes.classes.map((c) => [c.key, c.name + (c.subs.length ? " …" : "")]),
      ["…", "then a second letter, if you like"],
      ["0-4 -", "severity, - not applicable"],
      ["+", "a further label: letters as above"],
      [SUGGESTION_KEYS.join(" "), "take over a suggestion"],
    ]),
    part("Evidence", [
      [". ,", "next, previous number in the answer"],
      ["space", "mark it, or the cell"],
      ["⇧ ← →", "a word more"],
      ["y", "records, then context; arrows move"],
    ]),
    part("The item", [
      ...ITEMS.map(([, k, name]) => [k, name]),
      ["p", "confidence, again for more"],
      ["t", "rationale; Esc leaves it"],
    ]),
    part("The way", [
      ["⏎", "submit and go on (Ctrl+⏎ from a field)"],
      ["z", "undo"],
      ["[ ]", "back, forward"],
      ["s", "skip with a reason"],
      ["q", "flag with a note"],
      ["i", "guideline"],
      ["?", "this sheet"],
    ]),
  );
}
