// What the editor works on: one draft's content, as the YAML would say it, and what the server says of it.
export const state = {
  schema: null,
  me: "",
  drafts: [],
  draft: null, // as the server views it; null while the list is shown
  content: {},
  base: {}, // the content that the server has, as far as this page knows
  revision: 0,
  auto: new Map(), // what the server filled in, by path: it may change it until somebody types another value
  faults: [],
  notes: [],
  looked: null,
  weighed: null,
  stale: false,
  mode: "form",
  yaml: "",
  yamlError: null,
  theirs: null, // the draft as somebody else saved it in between
  saving: "", // "", "due", "sent", "refused"
  message: null,
  touched: false, // whether anybody typed since it was opened
  opened: new Set(),
  left: new Map(), // nodes as they were before they became another kind, by path
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
// What holds the value at a path; the outermost mapping is made where it is missing.
function holder(path) {
  const [first] = path;
  if (path.length === 2 && typeof path[1] === "string" && !isObject(state.content[first])) state.content[first] = {};
  return get(path.slice(0, -1));
}
export function put(path, value) {
  const inside = holder(path);
  if (!isObject(inside)) return false;
  // A name like __proto__ is a name like any other.
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

// The content as the server is to look at it: without what it filled in itself.
export function typed() {
  const kept = state.content;
  state.content = copy(kept);
  for (const { path, value } of state.auto.values()) if (same(get(path), value)) remove(path);
  const bare = state.content;
  state.content = kept;
  return bare;
}
// Take what follows by itself; the paths that changed.
export function fill(filled) {
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
// Somebody typed: it stands until it is emptied.
export function change(path, value) {
  if (value === undefined) remove(path);
  else put(path, value);
  state.auto.delete(keyOf(path));
  state.edited();
}
// Places in a list move when one of it goes: what follows below it is found anew.
export function forget(path) {
  for (const [key, one] of state.auto)
    if (path.every((step, at) => one.path[at] === step)) state.auto.delete(key);
}
