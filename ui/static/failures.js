// Failures that people labelled: clusters, upheld contests, single ones, each with the way to a draft. After dom.js.
const root = element.querySelector(".fl-root"), box = element.querySelector(".fl-message");
const VIEWS = [["clusters", "Alike"], ["contests", "Upheld contests"], ["failures", "One by one"]];
let board = null, linked = false;
const query = (path, values) => `${path}?${new URLSearchParams(values)}`;
const link = (href, text) => el("a", { class: "bk-link", href }, text);
const list = (more, page = 1) => ask("select", { action: "list", look: { ...board.look, ...more, page } }, root, box);
const make = (kind, of, next) => ask("select", { action: "make", kind, of, next_version: next }, root, box);
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out) return;
  answered(root);
  if (reply.go) { window.location.assign(reply.go); return; }
  showMessage(box, reply.message ?? null);
  if (reply.ready && !board) {
    root.replaceChildren(el("p", { class: "cn-muted", role: "status" }, "Reading and grouping what was labelled…"));
    setTimeout(() => ask("select", { action: "list", look: fromAddress() }, root, box)); // within watch the answer would be lost
  }
  if (!reply.look) {
    // Even the first answer was a refusal: the page does not go on reading.
    if (!board && reply.message) root.replaceChildren(el("p", {}, link("/failures/", "All labelled failures")));
    return;
  }
  board = reply;
  draw();
  if (linked) { linked = false; if (!board.counts[board.look.view] && board.counts.contests) setTimeout(() => list({ view: "contests" })); }
});
function fromAddress() {
  const asked = new URLSearchParams(window.location.search), more = {};
  for (const name of ["cluster", "template", "failure"]) if (asked.get(name)) more[name] = asked.get(name).slice(0, 200);
  if (asked.get("item")) more.failure = asked.get("item").slice(0, 200);
  if (more.failure) more.view = "failures";
  linked = Object.keys(more).length > 0;
  return more;
}
function draw() {
  if (!board) return;
  redraw(root, el("p", { class: "cn-muted" }, "Labelled failures of closed studies, and contests that an adjudicator upheld. From each, a draft can be begun that names where it came from."),
    el("div", { class: "cn-choose", role: "group", "aria-label": "What to look at" }, VIEWS.map(([view, label]) =>
      el("button", { type: "button", class: "cn-button cn-quiet", "data-key": view, "aria-pressed": String(board.look.view === view), onclick: () => list({ view }) }, `${label} (${board.counts[view]})`))),
    filters(),
    board.left_out ? el("p", { class: "cn-note cn-warn" }, `${board.left_out} failures more are not grouped; they stand under One by one.`) : null,
    board.shown.length ? board.shown.map({ clusters: cluster, contests: contest, failures: alone }[board.look.view]) : el("p", { class: "cn-note" }, nothing()),
    pages());
}
function nothing() {
  if (board.look.view === "contests") return "No contest has been upheld here yet.";
  return board.choices.operation.length > 1 ? "No failure is like that. Take a filter away." : "No study with labelled failures is closed yet. Labels are shown when a study is closed, so that nobody is led by them.";
}
function choice(legend, field) {
  const all = board.choices[field];
  if (all.length < 3) return null;
  return el("fieldset", {}, el("legend", {}, legend), el("div", { class: "bk-choice" }, all.map(([value, label]) =>
    el("button", { type: "button", class: "cn-button cn-quiet", "data-key": `${field}-${value}`, "aria-pressed": String(board.look[field] === value), onclick: () => list({ [field]: value }) }, label))));
}
function filters() {
  const { template, failure, cluster: one } = board.look, had = root.querySelector('details[data-key="filters"]');
  const narrowed = [["template", template && `Template ${template}`], ["failure", failure && "One failure"], ["cluster", one && "One cluster"]].filter(([, text]) => text);
  const groups = [choice("Operation", "operation"), choice("Cause", "code")].filter(Boolean);
  return [narrowed.length ? el("div", { class: "st-actions fl-narrowed" }, narrowed.map(([field, text]) => actionButton(`off-${field}`, `${text} ×`, () => list({ [field]: "" }), "cn-quiet", `Any ${field}, not only this`))) : null,
    groups.length ? el("details", { "data-key": "filters", open: had ? had.open : board.look.operation !== "" || board.look.code !== "" }, el("summary", {}, "Filter by operation and cause"), el("div", { class: "bk-filters" }, groups)) : null];
}
function drafts(all) {
  return all.length ? el("div", { class: "bk-links" }, el("h4", {}, "Drafts made from it"), el("ul", {}, all.map((one) => el("li", {}, link(query("/draft/", { draft: one.id }), one.text))))) : null;
}
function buttons(kind, of, about) {
  return el("div", { class: "st-actions" },
    actionButton(`make-${of}`, "Make a template", () => make(kind, of, false), kind === "contest" ? "" : "cn-primary", `Make a template from ${about}`),
    actionButton(`next-${of}`, "New version of the template", () => make(kind, of, true), kind === "contest" ? "cn-primary" : "cn-quiet", `New version of the template, from ${about}`));
}
const facts = (rows) => el("dl", { class: "st-facts" }, rows.map(([what, value]) => [el("dt", {}, what), el("dd", {}, value)]));
const version = (one) => link(query("/bank/", { template: one.template, version: one.version }), `${one.template}, version ${one.version}`);
function example(one) {
  return [el("p", {}, one.question), facts(one.facts),
    el("pre", { class: "bk-said", tabindex: "0", role: "region", "aria-label": `Answer of ${one.facts[2][1]}` }, one.text || "The model gave no text.")];
}
function cluster(one) {
  return el("article", { class: "st-card bk-cluster", "aria-label": `${one.size} failures: ${one.title}` },
    el("div", { class: "st-head" }, el("h2", {}, one.title), el("span", {}, `${one.size} failure${one.size === 1 ? "" : "s"}`)),
    one.words ? el("p", {}, "Said more than elsewhere: ", el("em", {}, one.words)) : null,
    el("p", { class: "cn-muted" }, one.about),
    el("p", { class: "cn-muted bk-tags" }, "Templates:", one.templates.map(([name, n]) => el("button", { type: "button", class: "bk-tag", onclick: () => list({ template: name }) }, `${name} (${n})`)), one.more_templates ? ` and ${one.more_templates} more` : ""),
    buttons("cluster", one.id, `${one.size} failures: ${one.title}`), drafts(one.drafts),
    el("details", { "data-key": `examples-${one.id}`, open: board.look.cluster === one.id || board.shown.length === 1 }, el("summary", {}, one.examples.length === 1 ? "The failure" : `${one.examples.length} typical ones`),
      one.examples.map((each) => el("div", { class: "bk-example" }, el("p", { class: "cn-muted" }, version(each), `, study ${each.study}; ${each.basis}`), example(each)))));
}
function alone(one) {
  return el("article", { class: "st-card bk-cluster", "aria-label": `Failure: ${one.cause} in ${one.template}` },
    el("div", { class: "st-head" }, el("h2", {}, one.cause), el("span", { class: "cn-muted" }, `${one.operation}; ${one.basis}`)),
    el("p", { class: "cn-muted" }, version(one), `, study ${one.study}`), example(one),
    el("div", { class: "fl-after" }, buttons("failure", one.key, `the failure ${one.cause} in ${one.template}`), drafts(one.drafts)));
}
function contest(one) {
  return el("article", { class: "st-card bk-cluster", "aria-label": `Contest of ${one.template}: ${one.title}` },
    el("div", { class: "st-head" }, el("h2", {}, `Upheld: ${one.title}`), el("span", { class: "cn-muted" }, `study ${one.study}`)),
    el("p", { class: "cn-muted" }, version(one)), el("p", {}, one.question), facts(one.facts),
    buttons("contest", one.id, `the contest of ${one.template}`), drafts(one.drafts));
}
function pages() {
  if (board.pages < 2) return null;
  const at = board.look.page, turn = (page) => { list({}, page); window.scrollTo({ top: 0 }); };
  return el("nav", { class: "st-actions bk-pages", "aria-label": "Pages" },
    el("button", { type: "button", class: "cn-button cn-quiet", "data-key": "previous", disabled: at === 1, onclick: () => turn(at - 1) }, "Previous"),
    el("span", {}, board.place),
    el("button", { type: "button", class: "cn-button cn-quiet", "data-key": "next", disabled: at === board.pages, onclick: () => turn(at + 1) }, "Next"));
}
draw();
