// RPC client for page scripts: POST /api/PAGE/ACTION, with one JSON object as request and one as reply.
// It classifies failures; whether to retry is up to the page.
import { _ } from "./language.js";

const options = (message) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(message),
});

const SILENT = { text: _("The server does not answer."), again: true };
const LOGGED_OUT = { text: _("You are logged out: log in again in another tab."), again: true };
const FAULT = { text: _("The server met a fault of its own."), again: true, fault: true };

// `call` resolves to { reply } or { failure: { text, again, fault } }.
// `again`: the request was not refused and can be retried; `fault`: the server had an internal error.
export function connect(page, { waitMs }) {
  const address = (action) => `/api/${page}/${action}`;
  async function call(action, message) {
    let response;
    try {
      response = await fetch(address(action), { ...options(message), signal: AbortSignal.timeout(waitMs) });
      if (response.ok) return { reply: await response.json() };
    } catch {
      return { failure: SILENT };
    }
    return { failure: await failureOf(response) };
  }
  // Send without waiting for a reply, for a page that is being closed.
  const notify = (action, message) => {
    fetch(address(action), { ...options(message), keepalive: true }).catch(() => {});
  };
  return { call, notify };
}

async function failureOf(response) {
  if (response.status === 401) return LOGGED_OUT;
  // With 503, a JSON detail means that our server lost its database; without one, a proxy answered.
  const said = await response.json().then((body) => body.detail, () => null);
  if (response.status === 503) return said ? { text: said, again: true } : SILENT;
  if (response.status >= 500) return FAULT;
  const { status } = response;
  return { text: said || _("The server refused this ({status}); reload the page and go on.", { status }), again: false };
}
