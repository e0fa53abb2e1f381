// Talking to the server: what is asked, and either the reply or one line that says why there is none.
const WAIT_MS = 30000;
const numberOf = (name) => window.gradio_config.dependencies.find((one) => one.api_name === name).id;
const request = (name, out) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ fn_index: numberOf(name), data: [{ out }], session_hash: "draft" }),
});

// `again`: the same may be asked once more, as nobody has refused it.
export async function post(name, out) {
  try {
    const response = await fetch("/draft/gradio_api/run/predict", {
      ...request(name, out),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    if (response.ok) return (await response.json()).data[0];
    if (response.status === 401)
      return failed("You are logged out. Log in again in another tab; this page then goes on by itself.", true);
    if (response.status === 503) return failed(await unavailable(response), true);
    if (response.status >= 500) return failed("The server met a fault; trying again.", true);
    return failed(`The server refused this (${response.status}); what you typed is kept in this browser.`, false);
  } catch {
    return failed("The server does not answer; trying again.", true);
  }
}
// The server answers, its database does not: it says why itself. A proxy before it has no such words.
const unavailable = (response) =>
  response.json().then((said) => `Not saved yet; trying again. ${said.error || ""}`, () => "The server does not answer; trying again.");
const failed = (text, again) => ({ again, failed: true, message: { tone: "bad", text } });

// The last word of a page that goes: no answer is waited for.
export function lastWord(name, out) {
  fetch("/draft/gradio_api/run/predict", { ...request(name, out), keepalive: true }).catch(() => {});
}
