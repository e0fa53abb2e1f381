// Form controls for simple values: a text, a number, or one or several of given options.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { newId, registerMessagePlace } from "./faults.js";
import { change, get, keyOf, state } from "./state.js";

const MOST_RADIO_BUTTONS = 5; // with more options, show a dropdown
export const optionLabel = (option) => state.schema.words[option] ?? String(option).replaceAll("_", " ").replace(/([a-z])\.([a-z])/, "$1: $2");
const asText = (value) => (value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));

const READ = {
  text: (text) => text,
  integer: (text) => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text.trim()),
  decimal: (text) => text.trim(),
};
const inList = (path) => typeof path.at(-1) === "number";

export function typedField(spec, path) {
  const id = newId(), hintId = spec.hint ? newId() : null;
  const long = path[0] === "wording";
  const control = el(long ? "textarea" : "input", {
    id, "data-path": keyOf(path), autocomplete: "off", spellcheck: long ? "true" : "false", rows: long ? "2" : null,
    inputmode: spec.shape.kind === "text" ? null : spec.shape.kind === "integer" ? "numeric" : "decimal",
    oninput: () => change(path, control.value === "" && !inList(path) ? undefined : READ[spec.shape.kind](control.value)),
  });
  control.value = asText(get(path));
  const set = (value) => { control.value = asText(value); };
  const faults = registerMessagePlace(path, [control], { hint: hintId, set });
  return el("div", { class: `df-field df-${spec.shape.kind}` }, el("label", { for: id }, spec.label), control,
    spec.hint ? el("small", { id: hintId }, spec.hint) : null, faults);
}

// A field to choose one option: radio buttons if there are few options, else a dropdown.
export function optionField(spec, path, options, { normal = undefined, after = () => {} } = {}) {
  const now = get(path) ?? normal;
  const all = now === undefined || options.includes(now) ? options : [...options, now];
  const choose = (value) => { change(path, value); after(); };
  const chooser = all.length <= MOST_RADIO_BUTTONS ? radioButtons : dropdown;
  return chooser(spec, path, all, now, choose);
}
function radioButtons(spec, path, options, now, choose) {
  const name = newId();
  const inputs = options.map((option) => el("input", { type: "radio", name, id: newId(), "data-path": `${keyOf(path)}#${option}`,
    onchange: () => choose(option) }));
  inputs.forEach((input, at) => { input.checked = options[at] === now; });
  const group = el("fieldset", { class: "df-field df-chips", role: "radiogroup" }, el("legend", {}, spec.label),
    el("div", { class: "df-row" }, options.map((option, at) => el("label", { class: "df-chip", for: inputs[at].id }, inputs[at], optionLabel(option)))));
  const set = (value) => inputs.forEach((input, at) => { input.checked = options[at] === value; });
  group.append(registerMessagePlace(path, [group], { set }));
  return group;
}
function dropdown(spec, path, options, now, choose) {
  const id = newId();
  const control = el("select", { id, "data-path": keyOf(path), onchange: () => choose(control.value === "" ? undefined : options[Number(control.value)]) },
    el("option", { value: "" }, _("choose …")), options.map((option, at) => el("option", { value: String(at) }, optionLabel(option))));
  const set = (value) => { control.value = options.includes(value) ? String(options.indexOf(value)) : ""; };
  set(now);
  return el("div", { class: "df-field" }, el("label", { for: id }, spec.label), control, registerMessagePlace(path, [control], { set }));
}
export function multipleChoiceField(spec, path) {
  const options = spec.shape.options;
  const boxes = options.map((option) => el("input", { type: "checkbox", id: newId(), "data-path": `${keyOf(path)}#${option}`,
    onchange: () => change(path, options.filter((_, at) => boxes[at].checked)) }));
  const now = get(path);
  boxes.forEach((box, at) => { box.checked = Array.isArray(now) && now.includes(options[at]); });
  const group = el("fieldset", { class: "df-field df-chips" }, el("legend", {}, spec.label),
    el("div", { class: "df-row" }, options.map((option, at) => el("label", { class: "df-chip", for: boxes[at].id }, boxes[at], optionLabel(option)))));
  group.append(registerMessagePlace(path, [group]));
  return group;
}
