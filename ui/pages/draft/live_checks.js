// Live checks at each pause in typing: the server first returns faults and a preview, then validity and
// duplicates.
import { post } from "./requests.js";
import { applyDerived, same, state, enteredContent } from "./state.js";

const PAUSE_MS = 400;
const AGAIN_MS = 3000;
let timer = null;
let running = false;
let due = false;
let hooks = { filled: () => {}, looked: () => {}, broken: () => {} };
export const connectLiveChecks = (given) => { hooks = given; };

export function scheduleCheck(pause = PAUSE_MS) {
  due = true;
  state.stale = true;
  clearTimeout(timer);
  timer = setTimeout(run, pause);
}
export function stopChecks() {
  due = false;
  clearTimeout(timer);
}

// Run one check at a time; edits made meanwhile are checked next.
async function run() {
  if (running || !state.draft) return;
  running = true;
  due = false;
  const draft = state.draft.id;
  const typedIn = state.mode === "yaml" ? { yaml: state.yaml } : { content: enteredContent() };
  const reply = await post("check", typedIn);
  let again = null;
  if (state.draft?.id === draft) again = await handleReply(reply, draft, typedIn);
  running = false;
  if (due) scheduleCheck();
  else if (again) scheduleCheck(again);
}
async function handleReply(reply, draft, typedIn) {
  if (reply.failed || !reply.faults) {
    if (state.mode === "yaml" && reply.yaml_error) {
      state.yamlError = reply.yaml_error;
      state.faults = []; // they refer to the previous text
      state.notes = [];
      if (state.touched) hooks.broken();
    } else state.message = reply.message ?? state.message;
    hooks.looked();
    return reply.again ? AGAIN_MS : null;
  }
  applyResults(reply);
  if (due || !reply.sound) {
    if (!reply.sound) state.weighed = null;
    return null;
  }
  const weighed = await post("try_out", typedIn);
  if (state.draft?.id !== draft || due || weighed.failed || !weighed.trial) return null;
  state.weighed = weighed;
  state.faults = [...reply.faults, ...weighed.faults];
  hooks.looked();
  return null;
}
function applyResults(reply) {
  const before = state.content;
  if (state.mode === "yaml" && reply.content) {
    state.yamlError = null;
    if (!same(state.content, reply.content)) state.content = reply.content;
    state.auto.clear(); // YAML is explicit: no value counts as derived
  }
  const changed = applyDerived([...reply.filled, ...reply.followed]);
  state.faults = reply.faults;
  state.notes = reply.notes ?? [];
  state.stale = due;
  if (reply.preview) state.looked = reply.preview;
  if (!reply.sound) state.stale = true;
  if (changed.length || before !== state.content) hooks.filled(changed);
  hooks.looked();
}
