// Renders the form as nested groups from the schema that the server derives from the template models.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { newId, registerMessagePlace } from "./faults.js";
import { optionField, multipleChoiceField, typedField } from "./simple_fields.js";
import * as scope from "./names_in_scope.js";
import { change, copy, forgetDerived, get, keyOf, put, remove, state } from "./state.js";

const isObject = (value) => value !== null && typeof value === "object";
const quietButton = (label, path, onclick, name = null) =>
  el("button", { type: "button", class: "cn-button cn-quiet", "data-path": path, "aria-label": name, onclick }, label);
const redraw = () => state.draw();
function replaceStructure(path, value) {
  forgetDerived(path);
  change(path, value);
  redraw();
}

const FIELD_RENDERERS = {
  text: typedField,
  integer: typedField,
  decimal: typedField,
  one: (spec, path) => optionField(spec, path, spec.shape.options),
  many: multipleChoiceField,
  place: (spec, path) => optionField(spec, path, scope.recordsInScope(path), { normal: scope.isInsideIteration(path) ? "each" : undefined }),
  take: (spec, path) => optionField(spec, path, scope.takeOptions(), { after: redraw }),
  given_number: (spec, path) => optionField(spec, path, scope.numberGivens()),
  given_choice: (spec, path) => optionField(spec, path, scope.choiceGivens(), { after: redraw }),
  code: (spec, path) => optionField(spec, path, state.schema.codes),
  list: renderList,
  map: renderMap,
  node: renderNode,
  fields: (spec, path) =>
    fieldGroup(spec, path, renderFields(state.schema.variants[spec.shape.of].fields, path)),
};
export const renderField = (spec, path) => FIELD_RENDERERS[spec.shape.kind](spec, path);
export const renderFields = (specs, path) => specs.map((spec) => renderField(spec, [...path, spec.name]));

function fieldGroup(spec, path, content, extra = null) {
  const box = el("fieldset", { class: "df-group" }, el("legend", {}, spec.label));
  const faults = registerMessagePlace(path, [box]);
  box.append(...[extra, spec.hint ? el("small", {}, spec.hint) : null, faults, ...content].filter(Boolean));
  return box;
}

// The key of the variant, among `members`, that a node's value belongs to; null if none is chosen yet.
function variantOf(members, value) {
  if (!isObject(value)) return null;
  const { variants } = state.schema;
  const fixed = (key) => Object.entries(variants[key].fixed);
  const tagged = members.find((key) => fixed(key).length && fixed(key).every(([name, wanted]) => value[name] === wanted));
  if (tagged) return tagged;
  const bare = members.filter((key) => !fixed(key).length);
  return bare.find((key) => variants[key].fields.length === 1 && Object.hasOwn(value, variants[key].fields[0].name)) ?? bare[0] ?? null;
}
function renderNode(spec, path) {
  const members = state.schema.groups[spec.shape.group];
  const value = get(path), now = variantOf(members, value), id = newId();
  const label = (key) => (spec.shape.group === "number" && state.schema.nested[key]) || state.schema.variants[key].label;
  const kind = el("select", { id, "data-path": keyOf(path), "aria-label": _("{label}: kind", spec),
    onchange: () =>
      kind.value && replaceStructure(path, switchVariant(path, kind.value, value, now, spec.shape.group)) },
    el("option", { value: "" }, _("choose …")), members.map((key) => el("option", { value: key }, label(key))));
  kind.value = now ?? "";
  const inside = now ? state.schema.variants[now].fields.filter((one) => !isOwnDigits(path, one)) : [];
  const box = el("fieldset", { class: "df-group df-node" }, el("legend", {}, spec.label), kind);
  box.append(...[spec.hint ? el("small", {}, spec.hint) : null, registerMessagePlace(path, [box, kind]), ...renderFields(inside, path)].filter(Boolean));
  return box;
}
// The rounding at the root of the tree takes its digits from the template's `decimals` field, so its own
// `decimals` field is hidden.
const isOwnDigits = (path, field) => field.name === "decimals" && path.at(-1) === "tree";

// Change a node's variant; switching back (for instance with the arrow keys) restores its earlier values.
function switchVariant(path, key, value, now, group) {
  const left = state.left.get(keyOf(path)) ?? {};
  if (now) state.left.set(keyOf(path), { ...left, [now]: copy(value) });
  return left[key] ?? convertNode(key, value, now, group);
}
// A node converted to another variant: fields that both have are copied; if there are none, the old node
// becomes the first child that accepts it.
function convertNode(key, value, now, group) {
  const { begins, fields, fixed } = state.schema.variants[key];
  const made = copy(begins);
  if (!now) return made;
  const had = state.schema.variants[now].fields;
  const shared = fields.filter((one) => Object.hasOwn(value, one.name) && had.some((old) => old.name === one.name && same(old.shape, one.shape)));
  for (const { name } of shared) made[name] = copy(value[name]);
  const part = fields.find((one) => one.shape.kind === "node" && one.shape.group === group);
  if (!shared.length && part && Object.keys(value).length > Object.keys(state.schema.variants[now].fixed).length) made[part.name] = copy(value);
  return { ...made, ...fixed };
}
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function renderList(spec, path) {
  const items = Array.isArray(get(path)) ? get(path) : [];
  const shape = spec.shape.of;
  const { one } = spec;
  const part = (at) => ({ name: at, label: items.length > 1 || !spec.needed ? `${one} ${at + 1}` : one, hint: "", shape, needed: true });
  const begin = () => (shape.kind === "node" ? copy(initialNode(shape.group)) : shape.kind === "fields" ? initialValue(shape.of) : "");
  const add = quietButton(items.length ? _("Add another") : _("Add one"), `${keyOf(path)}+`, () => {
    change(path, [...items, begin()]);
    redraw();
    document.querySelector(`[data-path="${CSS.escape(keyOf([...path, items.length]))}"]`)?.focus();
  }, _("Add to {label}", spec));
  const rows = items.map((item, at) => el("div", { class: "df-item" }, renderField(part(at), [...path, at]),
    items.length > spec.shape.least ? quietButton(_("Remove"), `${keyOf([...path, at])}-`, () => {
      forgetDerived(path);
      state.left.clear(); // list indices, and so the paths, have shifted
      change(path, items.filter((item, other) => other !== at));
      redraw();
    }, _("Remove {name}", { name: `${one} ${at + 1}` })) : null));
  return fieldGroup(spec, path, [...rows, add]);
}
// The initial value of a variant. A mistake is the computation tree with one error, so it starts as a copy of
// the tree.
const initialValue = (name) => ({ ...copy(state.schema.variants[name].begins), ...(name === "Mistake" && get(["tree"]) ? { tree: copy(get(["tree"])) } : {}) });
const DEFAULT_VARIANTS = { condition: "CompareNode", number: "vital", moment: "at", root: "round" };
const initialNode = (name) =>
  state.schema.variants[DEFAULT_VARIANTS[name] ?? state.schema.groups[name][0]].begins;

function renderMap(spec, path) {
  const value = isObject(get(path)) ? get(path) : {};
  const known = scope.fixedKeys(path);
  const part = (name) => ({ name, label: name, hint: "", shape: spec.shape.of, needed: true });
  if (known) return fieldGroup(spec, path, [...new Set([...known, ...Object.keys(value)])].map((name) => renderField(part(name), [...path, name])));
  const rows = Object.keys(value).map((name) => el("div", { class: "df-item" }, renderField(part(name), [...path, name]),
    quietButton(_("Remove"), `${keyOf([...path, name])}-`, () => { forgetDerived([...path, name]); remove([...path, name]); state.edited(); redraw(); }, _("Remove {name}", { name }))));
  const id = newId();
  const field = el("input", { id, "data-path": `${keyOf(path)}name`, autocomplete: "off", spellcheck: "false",
    onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); add(); } } });
  const add = () => {
    const name = field.value.trim();
    if (!name || Object.hasOwn(value, name)) return;
    put([...path, name], copy(initialNode(spec.shape.of.group)));
    state.edited();
    redraw();
  };
  return fieldGroup(spec, path, [...rows, el("div", { class: "df-field" }, el("label", { for: id }, _("A new one is called")),
    el("div", { class: "df-row" }, field,
      quietButton(_("Add"), `${keyOf(path)}+`, add, _("Add to {label}", spec))))]);
}
