// Show validation faults next to their form fields. Each field and group registers a message place by its
// path.
import { el } from "../components/dom.js";
import { get, keyOf, state } from "./state.js";

let number = 0;
const places = new Map();
export const newId = () => `df-${++number}`;
export const clearMessagePlaces = () => places.clear();

// Create and register the message element for a path. On a fault, `controls` get aria-invalid; `set` writes a
// value into them.
export function registerMessagePlace(path, controls, { hint = null, set = null } = {}) {
  const box = el("p", { class: "df-faults", id: newId(), hidden: true });
  places.set(keyOf(path), { path, box, controls, hint, set });
  for (const control of controls) setDescription(control, hint, null);
  return box;
}
export const setterAt = (path) => places.get(keyOf(path))?.set ?? null;

function setDescription(control, hint, fault) {
  const ids = [hint, fault].filter(Boolean).join(" ");
  if (ids) control.setAttribute("aria-describedby", ids);
  else control.removeAttribute("aria-describedby");
}
// The message place registered for a path or its nearest ancestor; null if there is none.
function nearestPlace(path) {
  for (let length = path.length; length > 0; length -= 1) {
    const found = places.get(keyOf(path.slice(0, length)));
    if (found) return found;
  }
  return null;
}
export const faultText = (fault) => (fault.name ? `${fault.name}: ${fault.message}` : fault.message);

// Show all faults and notes at their message places. Returns the faults without a place (`lost`), the number
// of missing values (`empty`) and the number of other faults (`wrong`).
export function showFaults() {
  const lost = [];
  const here = new Map();
  for (const fault of state.faults) {
    const found = nearestPlace(fault.path);
    if (found) here.set(found, [...(here.get(found) ?? []), fault]);
    else lost.push(fault);
  }
  const noted = new Map();
  for (const note of state.notes) {
    const found = nearestPlace(note.path);
    if (found) noted.set(found, [...(noted.get(found) ?? []), note]);
  }
  let empty = 0;
  for (const one of places.values()) empty += showAt(one, here.get(one) ?? [], noted.get(one) ?? []);
  return { lost, empty, wrong: state.faults.length - empty };
}
function showAt(one, faults, notes) {
  const text = [...faults, ...notes].map(faultText).join(" · ");
  if (one.box.textContent !== text) one.box.textContent = text;
  one.box.hidden = !text;
  one.box.classList.toggle("df-note", !faults.length);
  // A missing value is shown as to be filled in, not as an error.
  const lacking = faults.length > 0 && [undefined, ""].includes(get(one.path));
  one.box.classList.toggle("df-lacking", lacking);
  for (const control of one.controls) {
    setDescription(control, one.hint, text ? one.box.id : null);
    if (isGroup(control)) continue; // a group has no value of its own
    if (faults.length && !lacking) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
  if (faults.length && !lacking) unfold(one.box);
  return lacking ? faults.length : 0;
}
const isGroup = (control) => control.tagName === "FIELDSET" && !control.hasAttribute("role");
function unfold(node) {
  for (let fold = node.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}
export function goToFirst() {
  const first = [...places.values()].find((one) => !one.box.hidden && !one.box.classList.contains("df-note"));
  if (first) unfold(first.box);
  const target = first?.controls.find((one) => one.tagName !== "FIELDSET") ?? first?.box.parentElement.querySelector("input, select, textarea, button");
  target?.focus();
  target?.scrollIntoView({ block: "center" });
}
