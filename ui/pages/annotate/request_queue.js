// Request queue: one request at a time, in order, retried until answered.
// Retries are safe: the server accepts a judgement on a given revision only once.
import { _ } from "../components/language.js";
import { connect } from "../components/rpc.js";

const WAIT_MS = 10000;
const LONGEST_PAUSE_MS = 5000;
const MOST_FAULTS = 5;
const PENDING = "cn-pending";
const KEPT_UNTIL_ANSWERED = new Set(["judge", "submit", "skip", "flag"]);
const GIVEN_UP = _(
  "The server met a fault of its own. Tell whoever runs it, then reload the page: your work on this item is kept.",
);

const server = connect("annotate", { waitMs: WAIT_MS });
const queue = [];
let running = false;
let hooks = { waiting: () => {}, answered: () => {} };

export const connectQueue = (given) => {
  hooks = given;
};
export const notify = server.notify;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const errorReply = (message) => ({ kind: "error", item: null, message });

async function deliver(action, message) {
  let faults = 0;
  for (let tries = 0; ; tries += 1) {
    const { reply, failure } = await server.call(action, message);
    if (reply !== undefined) return reply;
    if (!failure.again) return errorReply(failure.text);
    faults += failure.fault ? 1 : 0;
    if (faults > MOST_FAULTS) return errorReply(GIVEN_UP);
    hooks.waiting(_("Not saved yet; trying again. {text}", failure));
    await pause(Math.min(250 * 2 ** tries, LONGEST_PAUSE_MS) * (0.75 + Math.random() / 2));
  }
}

// Queue a request. `make` builds its message when it is sent, as an earlier reply may change the revision;
// if `make` returns null, nothing is sent.
export function post(action, make) {
  queue.push([action, make]);
  if (!running) sendAll();
}
export const isQueued = (action) => queue.some(([one]) => one === action);
export const clearQueue = () => {
  queue.length = 0;
};

async function sendAll() {
  running = true;
  while (queue.length) {
    const [action, make] = queue.shift();
    const message = make();
    if (message === null) continue;
    const kept = KEPT_UNTIL_ANSWERED.has(action);
    if (kept) localStorage.setItem(PENDING, JSON.stringify({ name: action, out: message }));
    const reply = await deliver(action, message);
    if (kept) localStorage.removeItem(PENDING);
    hooks.answered(action, reply, message);
  }
  running = false;
}

// Remove and return the request that was unanswered when the page was closed or reloaded; null if none.
export function takePending() {
  const kept = JSON.parse(localStorage.getItem(PENDING) || "null");
  localStorage.removeItem(PENDING);
  return kept;
}
