// The editor's state: one draft's content, structured as in YAML, and the server's check results.
export const state = {
  schema: null,
  me: "",
  drafts: [],
  draft: null, // the draft as sent by the server; null while the list is shown
  content: {},
  base: {}, // the content last known to be saved on the server
  revision: 0,
  auto: new Map(), // values derived by the server, by path; updated until the user enters another value
  faults: [],
  notes: [],
  looked: null, // the latest preview: for each sample patient, the question in every representation
  weighed: null, // the latest trial: validity on many sample patients, and similar templates
  stale: false, // whether the content was edited since the preview was computed
  mode: "form",
  yaml: "",
  yamlError: null,
  theirs: null, // in an edit conflict: the draft as saved by somebody else
  saving: "", // "", "due", "sent", "refused"
  message: null,
  touched: false, // whether the user has edited the draft since opening it
  opened: new Set(), // keys of the collapsible sections that are open
  left: new Map(), // former values of nodes by path and variant, restored when switching back
  draw: () => {},
  edited: () => {},
};
export const keyOf = (path) => JSON.stringify(path);
const isObject = (value) => value !== null && typeof value === "object";

export function get(path, from = state.content) {
  let value = from;
  for (const step of path) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}
// The container of the value at a path; creates a missing top-level mapping.
function containerOf(path) {
  const [first] = path;
  if (path.length === 2 && typeof path[1] === "string" && !isObject(state.content[first])) state.content[first] = {};
  return get(path.slice(0, -1));
}
export function put(path, value) {
  const inside = containerOf(path);
  if (!isObject(inside)) return false;
  // defineProperty, so that a name like __proto__ becomes an ordinary key.
  Object.defineProperty(inside, path.at(-1), { value, writable: true, enumerable: true, configurable: true });
  return true;
}
export function remove(path) {
  const inside = get(path.slice(0, -1));
  if (Array.isArray(inside)) inside.splice(path.at(-1), 1);
  else if (isObject(inside)) delete inside[path.at(-1)];
  if (path.length === 2 && isObject(inside) && !Object.keys(inside).length) delete state.content[path[0]];
}
export function same(a, b) {
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}
export const copy = (value) => structuredClone(value);

// The content to send for checking, without the values that the server derived itself.
export function enteredContent() {
  const kept = state.content;
  state.content = copy(kept);
  for (const { path, value } of state.auto.values()) if (same(get(path), value)) remove(path);
  const bare = state.content;
  state.content = kept;
  return bare;
}
// Apply the server's derived values, except where the user entered another value. Returns the changed paths.
export function applyDerived(filled) {
  const changed = [];
  const fresh = new Map(filled.map((one) => [keyOf(one.path), one]));
  for (const [key, { path, value }] of state.auto)
    if (!fresh.has(key)) {
      if (same(get(path), value)) {
        remove(path);
        changed.push(path);
      }
      state.auto.delete(key);
    }
  for (const [key, one] of fresh) {
    const now = get(one.path), before = state.auto.get(key);
    if (now !== undefined && !(before && same(now, before.value)) && !same(now, one.value)) {
      state.auto.delete(key);
      continue;
    }
    if (!same(now, one.value)) {
      if (!put(one.path, copy(one.value))) continue;
      changed.push(one.path);
    }
    state.auto.set(key, one);
  }
  return changed;
}
// Set a value entered by the user; the server's derived values no longer replace it until it is cleared.
export function change(path, value) {
  if (value === undefined) remove(path);
  else put(path, value);
  state.auto.delete(keyOf(path));
  state.edited();
}
// Forget the derived values below a path, as removing a list item shifts its indices; the server derives them
// again.
export function forgetDerived(path) {
  for (const [key, one] of state.auto)
    if (path.every((step, at) => one.path[at] === step)) state.auto.delete(key);
}
