// Which keys act now. While the kinds of a class are open, or the classes for a further label, letters are theirs:
// what is typed for a kind must not become another answer, nor put the item aside.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { chooseFurther, choosePrimary, findClass, showMessage, state } from "./state.js";

const ALWAYS = ["z", "i", "y"]; // they take back, or change only what is shown
const isLetter = (key) => /^[a-z]$/.test(key);

// The list that is open: its place on the page, its class (null for the classes themselves), its letters.
function openList() {
  const { adding, openClass, codes } = state;
  if (adding === "class") return { place: "more", of: null, keys: codes.classes.map((one) => one.key) };
  const of = findClass(adding || openClass);
  return of && { place: adding ? "more" : "kind", of, keys: of.subs.map((one) => one.key) };
}

// The action of a letter while a list is open; null if none is, or if the letter acts as elsewhere.
export function openListAction(key) {
  const open = openList();
  if (!open || !isLetter(key)) return null;
  const chosen = open.of?.subs.find((one) => one.key === key) || state.codes.classes.find((one) => one.key === key);
  if (chosen) return () => (open.place === "more" ? chooseFurther : choosePrimary)(chosen.code);
  return ALWAYS.includes(key) ? null : () => showMessage(refusal(open, key), "note");
}

function refusal({ of, keys }, key) {
  const about = { key, keys: keys.join(", "), name: of?.name };
  const wrong = of
    ? _("“{key}” is no kind of “{name}”: its kinds have the letters {keys}.", about)
    : _("“{key}” is no class: the classes have the letters {keys}.", about);
  const next =
    key === "s" ? _("To skip the item, press Esc first, or use the button Skip.") : _("Esc closes the list; then “{key}” acts as elsewhere.", about);
  return `${wrong} ${next}`;
}

// Whether `key` does what stands beside it at this `place`: a "class", a "kind" of the chosen one, "more" labels, a
// reason to "skip", or anywhere else.
export function actsAt(key, place = "") {
  if (state.panel === "skip") return place === "skip";
  const open = openList();
  if (!open || !isLetter(key) || place === open.place) return true;
  if (open.keys.includes(key)) return false;
  return ALWAYS.includes(key) || (place === "class" && open.place === "kind");
}

// A key as shown beside what it does; out of sight, in its place, while it does something else.
export const keyHint = (key, place = "") =>
  key && el("kbd", { "aria-hidden": "true", class: actsAt(key, place) ? null : "ab-idle-key" }, key);
