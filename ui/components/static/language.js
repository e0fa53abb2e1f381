// Texts of page scripts in the page's language. English texts are the keys; the page brings the others.
const source = document.getElementById("cn-messages");
const { language, messages } = source ? JSON.parse(source.textContent) : { language: "en", messages: {} };
document.documentElement.lang = language;

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);

// The text in the page's language, with `values` filled into its {named} fields.
export const _ = (text, values = {}) => filled(messages[text]?.[0] ?? text, values);

// `one` if n is 1, else `many`, with n and `values` filled in.
export const ngettext = (one, many, n, values = {}) =>
  filled((messages[one] ?? [one, many])[n === 1 ? 0 : 1], { n, ...values });
