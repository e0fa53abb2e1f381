// Calls to the server; each resolves to the reply, or to a failure message to show to the user.
import { _ } from "../components/language.js";
import { connect } from "../components/rpc.js";

const server = connect("draft", { waitMs: 30000 });
export const { notify } = server;

// `again` in the result: the request was not refused and can be retried.
export async function post(action, message) {
  const { reply, failure } = await server.call(action, message);
  if (reply) return reply;
  const { text, again } = failure;
  const said = again ? _("Not saved yet; trying again. {text}", { text }) : _("{text} What you typed is kept in this browser.", { text });
  return { again, failed: true, message: { tone: "bad", text: said } };
}
