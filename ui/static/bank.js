// The bank: what is searched for, a page of versions, and one of them opened. After dom.js and bank_version.js.
const root = element.querySelector(".bk-root"), box = element.querySelector(".bk-message");
const TYPED_MS = 350;
let listing = null, shown = null, stale = false, typing = null, again = null, first = true, wanted = null;
const state = { retiring: false, compared: null, draw, focus: (key) => root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus() };
const send = (out) => ask("select", out, root, box);
const act = (action, more = {}) => send({ action, template: shown.template, version: shown.version, ...more });
function inAddress() {
  const asked = new URLSearchParams(window.location.search);
  const template = asked.get("template"), version = Number(asked.get("version"));
  return template && Number.isInteger(version) && version > 0 ? { template, version } : null;
}
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out) return;
  answered(root);
  if (reply.go) { window.location.assign(reply.go); return; }
  showMessage(box, reply.message ?? null);
  if ("stale" in reply) stale = reply.stale;
  if (reply.listing) { listing = reply.listing; }
  if (reply.compared) state.compared = { version: reply.version, lines: reply.compared };
  if (reply.shown) {
    const same = shown && shown.template === reply.shown.template && shown.version === reply.shown.version;
    shown = reply.shown; state.retiring = false;
    if (!same) { state.compared = null; window.scrollTo({ top: 0 }); }
    draw();
    if (!same) state.focus("version-head");
  } else draw();
  if (first && reply.listing) { first = false; const asked = inAddress(); if (asked) send({ action: "show", ...asked }); }
  if (again) { const next = again; again = null; send(next); }
});
function open(one) {
  history.pushState({ bank: true }, "", query("/bank/", { template: one.template, version: one.version }));
  wanted = `open-${one.template}-${one.version}`;
  send({ action: "show", template: one.template, version: one.version });
}
function leave() { history.pushState({ bank: true }, "", "/bank/"); close(); }
function close() { shown = null; state.retiring = false; showMessage(box, null); draw(); if (wanted) state.focus(wanted); }
function onPop() {
  if (!element.isConnected) { window.removeEventListener("popstate", onPop); return; }
  const asked = inAddress();
  if (asked) send({ action: "show", ...asked }); else close();
}
window.addEventListener("popstate", onPop);
function search(more, page = 1) {
  clearTimeout(typing);
  const out = { action: "list", search: { ...listing.search, text: root.querySelector('[data-key="text"]').value, ...more, page } };
  if (!send(out)) again = out;
}
function typed() { clearTimeout(typing); typing = setTimeout(() => search({}), TYPED_MS); }
function draw() {
  if (!listing) return;
  if (shown) { redraw(root, el("p", {}, actionButton("leave", "Back to the list", leave, "cn-quiet")), versionView(shown, state, act, leave)); return; }
  redraw(root, staleLine(), filters(), el("p", { class: "cn-muted bk-found", role: "status" }, `${listing.found} version${listing.found === 1 ? "" : "s"}`),
    listing.rows.length ? el("ul", { class: "bk-list" }, listing.rows.map(row)) : el("p", { class: "cn-note" }, "Nothing in the bank is like that. Take a filter away, or search for fewer words."),
    pages());
}
function staleLine() {
  return el("div", { class: stale ? "cn-note cn-warn" : "bk-count" }, stale ? el("p", {}, "Something was imported, contested or closed since these figures were counted.") : null,
    actionButton("count", "Count anew", () => send({ action: "count", search: listing.search }), "cn-quiet"));
}
function choice(legend, field) {
  return el("fieldset", {}, el("legend", {}, legend), el("div", { class: "bk-choice" }, listing.choices[field].map(([value, label]) =>
    el("button", { type: "button", class: "cn-button cn-quiet", "data-key": `${field}-${value}`, "aria-pressed": String(listing.search[field] === value), onclick: () => search({ [field]: value }) }, label))));
}
function toggle(field, label) {
  const on = listing.search[field];
  return el("button", { type: "button", class: "cn-button cn-quiet", "data-key": field, "aria-pressed": String(on), onclick: () => search({ [field]: !on }) }, label);
}
function filters() {
  const narrow = window.matchMedia("(max-width: 700px)").matches, had = root.querySelector('details[data-key="filters"]');
  return el("form", { role: "search", onsubmit: (event) => { event.preventDefault(); search({}); } },
    el("label", { class: "st-field" }, "Search id, tags and wording", el("input", { type: "search", "data-key": "text", "data-keep": "text", value: listing.search.text, maxlength: "200", autocomplete: "off", oninput: typed })),
    el("details", { "data-key": "filters", open: had ? had.open : !narrow }, el("summary", {}, "Filter and order"),
      el("div", { class: "bk-filters" }, choice("Operation", "operation"), choice("Status", "status"), choice("Order by", "sort"),
        el("fieldset", {}, el("legend", {}, "Only"), el("div", { class: "bk-choice" }, toggle("contested", "with contests"), toggle("hard", "hard: under half right"),
          listing.search.tag ? actionButton("tag-off", `tag ${listing.search.tag} ×`, () => search({ tag: "" }), "cn-quiet", `Any tag, not only ${listing.search.tag}`) : null)))));
}
function row(one) {
  return el("li", { class: "bk-row" },
    el("div", { class: "bk-name" },
      el("h2", {}, el("a", { href: query("/bank/", { template: one.template, version: one.version }), "data-key": `open-${one.template}-${one.version}`, onclick: (event) => { if (!event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); open(one); } } }, one.template)),
      el("span", { class: "cn-muted" }, `version ${one.version}`), pill(one),
      one.tags.map((tag) => el("button", { type: "button", class: "bk-tag", "aria-label": `Only the tag ${tag}`, onclick: () => search({ tag }) }, tag))),
    el("p", { class: "bk-text" }, one.wording),
    one.figures.length ? el("dl", { class: "bk-figures" }, one.figures.map(([what, value]) => el("div", {}, el("dt", {}, what), el("dd", {}, value)))) : el("p", { class: "cn-muted bk-idle" }, "No instance in the database yet."));
}
function pages() {
  if (listing.pages < 2) return null;
  const at = listing.search.page;
  return el("nav", { class: "st-actions bk-pages", "aria-label": "Pages" },
    el("button", { type: "button", class: "cn-button cn-quiet", "data-key": "previous", disabled: at === 1, onclick: () => { search({}, at - 1); window.scrollTo({ top: 0 }); } }, "Previous"),
    el("span", {}, listing.place),
    el("button", { type: "button", class: "cn-button cn-quiet", "data-key": "next", disabled: at === listing.pages, onclick: () => { search({}, at + 1); window.scrollTo({ top: 0 }); } }, "Next"));
}
draw();
