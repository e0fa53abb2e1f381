// The one way in which a page asks the server: POST /api/PAGE/ACTION, one JSON object each way.
// Here is what may happen to a request; whether it is sent again is for the page to say.
const options = (message) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(message),
});

const SILENT = { text: "The server does not answer.", again: true };
const LOGGED_OUT = { text: "You are logged out: log in again in another tab.", again: true };
const FAULT = { text: "The server met a fault of its own.", again: true, fault: true };

// { reply }, or { failure: { text, again, fault } }: `again` if the same may be sent once more, as nobody refused it.
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
  // The last word of a page that goes: no answer is waited for.
  const notify = (action, message) => {
    fetch(address(action), { ...options(message), keepalive: true }).catch(() => {});
  };
  return { call, notify };
}

async function failureOf(response) {
  if (response.status === 401) return LOGGED_OUT;
  // The server answers, its database does not: it says why itself. A proxy before it has no such words.
  const said = await response.json().then((body) => body.detail, () => null);
  if (response.status === 503) return said ? { text: said, again: true } : SILENT;
  if (response.status >= 500) return FAULT;
  return { text: said || `The server refused this (${response.status}); reload the page and go on.`, again: false };
}
