// Talking to the server: one request at a time, in order; one that gets no answer is sent again until it does.
// The server takes the same judgement on the same revision only once, so sending it twice does no harm.
const WAIT_MS = 10000;
const LONGEST_PAUSE_MS = 5000;
const MOST_FAULTS = 5;
const PENDING = "cn-pending";
const KEPT_UNTIL_ANSWERED = new Set(["judge", "submit", "skip", "flag"]);
const NO_ANSWER = "Not saved yet: the server does not answer; trying again.";
const LOGGED_OUT =
  "Not saved yet: you are logged out. Log in again in another tab; this page then goes on by itself.";

const queue = [];
let running = false;
let hooks = { waiting: () => {}, answered: () => {} };

export function connect(given) {
  hooks = given;
}

const numberOf = (name) => window.gradio_config.dependencies.find((one) => one.api_name === name).id;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function attempt(name, out) {
  let response;
  try {
    response = await fetch("/annotate/gradio_api/run/predict", {
      method: "POST",
      headers: { "content-type": "application/json" },
      signal: AbortSignal.timeout(WAIT_MS),
      body: JSON.stringify({
        fn_index: numberOf(name),
        data: name === "load" ? [] : [{ out }],
        session_hash: "annotate",
      }),
    });
    if (response.ok) return { reply: (await response.json()).data[0] };
  } catch {
    return { again: NO_ANSWER };
  }
  if (response.status === 401) return { again: LOGGED_OUT };
  if (response.status === 503) return { again: await unavailable(response) };
  if (response.status >= 500) return { again: NO_ANSWER, fault: true };
  return {
    reply: {
      kind: "error",
      item: null,
      message: `The server refused this (${response.status}). Reload the page and go on.`,
    },
  };
}

// The server answers, its database does not: it says why itself. A proxy before it has no such words.
async function unavailable(response) {
  try {
    return `Not saved yet; trying again. ${(await response.json()).error || NO_ANSWER}`;
  } catch {
    return NO_ANSWER;
  }
}

async function deliver(name, out) {
  let faults = 0;
  for (let tries = 0; ; tries += 1) {
    const { reply, again, fault } = await attempt(name, out);
    if (reply !== undefined) return reply;
    faults += fault ? 1 : 0;
    if (faults > MOST_FAULTS)
      return {
        kind: "error",
        item: null,
        message:
          "The server met a fault of its own. Tell whoever runs it, then reload the page: your work on this item is kept.",
      };
    hooks.waiting(again);
    await pause(Math.min(250 * 2 ** tries, LONGEST_PAUSE_MS) * (0.75 + Math.random() / 2));
  }
}

// `make` is called when its turn comes: by then an answer may have brought a new revision.
export function post(name, make) {
  queue.push([name, make]);
  if (!running) run();
}
export const queued = (name) => queue.some(([one]) => one === name);
export const forgetQueue = () => {
  queue.length = 0;
};

async function run() {
  running = true;
  while (queue.length) {
    const [name, make] = queue.shift();
    const out = make();
    if (out === null) continue;
    if (KEPT_UNTIL_ANSWERED.has(name)) localStorage.setItem(PENDING, JSON.stringify({ name, out }));
    const reply = await deliver(name, out);
    if (KEPT_UNTIL_ANSWERED.has(name)) localStorage.removeItem(PENDING);
    hooks.answered(name, reply, out);
  }
  running = false;
}

// What a page that was closed or reloaded had not heard an answer to.
export function takePending() {
  const kept = JSON.parse(localStorage.getItem(PENDING) || "null");
  localStorage.removeItem(PENDING);
  return kept;
}

// The last word of a page that goes: no answer is waited for.
export function lastWord(name, out) {
  fetch("/annotate/gradio_api/run/predict", {
    method: "POST",
    headers: { "content-type": "application/json" },
    keepalive: true,
    body: JSON.stringify({ fn_index: numberOf(name), data: [{ out }], session_hash: "annotate" }),
  }).catch(() => {});
}
