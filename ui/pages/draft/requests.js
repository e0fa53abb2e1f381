// What the page asks of the server: the reply, or one line that says why there is none.
import { connect } from "/static/components/rpc.js";

const server = connect("draft", { waitMs: 30000 });
export const { notify } = server;

// `again`: the same may be asked once more, as nobody has refused it.
export async function post(action, message) {
  const { reply, failure } = await server.call(action, message);
  if (reply) return reply;
  const { text, again } = failure;
  const said = again ? `Not saved yet; trying again. ${text}` : `${text} What you typed is kept in this browser.`;
  return { again, failed: true, message: { tone: "bad", text: said } };
}
