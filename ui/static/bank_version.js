// One version of a template, drawn. After dom.js; `act` sends, `leave` goes back to the list.
const pairs = (rows) => el("dl", { class: "st-facts" }, rows.map(([what, value]) => [el("dt", {}, what), el("dd", {}, value)]));
const link = (href, text) => el("a", { class: "bk-link", href }, text);
const links = (title, nodes) => nodes.length ? el("div", { class: "bk-links" }, el("h4", {}, title), el("ul", {}, nodes.map((one) => el("li", {}, one)))) : null;
const pill = (one) => el("span", { class: `bk-status bk-${one.status}` }, one.said);
const query = (path, values) => `${path}?${new URLSearchParams(values)}`;
function versionView(one, state, act, leave) {
  return el("article", { class: "st-card bk-version", "aria-label": `${one.template} version ${one.version}` },
    el("div", { class: "st-head" }, el("h2", { tabindex: "-1", "data-key": "version-head" }, one.template), el("span", {}, `version ${one.version}`), pill(one),
      el("span", { class: "cn-muted" }, one.operation)),
    el("p", { class: "cn-muted" }, one.about),
    el("div", { class: "st-actions" },
      one.may_renew ? actionButton("renew", "New version", () => act("renew"), "cn-primary", `Begin a draft of the next version of ${one.template}`) : null,
      one.may_review ? link(query("/rounds/", { template: one.template, version: one.version }), "Review it") : null,
      link(query("/failures/", { template: one.template }), "Failures of it"),
      one.may_retire ? actionButton("retire", "Retire", () => { state.retiring = true; state.draw(); }, "cn-quiet", `Retire ${one.template} version ${one.version}`) : null),
    state.retiring ? retireForm(one, state, act) : null,
    el("div", { class: "bk-columns" },
      el("section", {}, el("h3", {}, "What it asks"), one.wording.length ? el("ol", { class: "bk-wording" }, one.wording.map((text) => el("li", {}, text))) : el("p", {}, one.rowWording || "Its wording is not in the bank."),
        one.computed.length ? [el("h3", {}, "How the answer is computed"), one.computed.map((text) => el("p", { class: "bk-computed" }, `${text}.`))] : null,
        one.asks.length ? pairs(one.asks) : null,
        one.tags.length ? el("p", { class: "cn-muted" }, `Tags: ${one.tags.join(", ")}`) : null),
      el("section", {}, el("h3", {}, "Health"), health(one, act))),
    el("section", {}, el("h3", {}, "Versions"), versions(one, state, act)),
    el("section", { class: "bk-belongs" }, el("h3", {}, "What belongs to it"),
      links("Failures it came from", one.origins.map((o) => link(query("/failures/", { failure: o.item }), o.text))),
      links("Drafts", one.drafts.map((d) => link(query("/draft/", { draft: d.id }), d.text))),
      links("Rounds of review", one.rounds.map((r) => link(query("/rounds/", { round: r.id }), r.text))),
      links("Releases", one.releases.map((name) => link("/releases/", name))), links("Used by", one.used),
      one.origins.length + one.drafts.length + one.rounds.length + one.releases.length + one.used.length ? null : el("p", { class: "cn-muted" }, "Nothing yet: no benchmark, label, draft, review or release.")));
}
function health(one, act) {
  const h = one.health;
  return [pairs(h.facts),
    h.runs.length ? dataTable("Accuracy by model", [["Model", true], ["Right", false], ["Share", false]], h.runs) : null,
    el("h4", {}, "Validity rules"),
    h.trial ? [el("p", {}, h.trial.text), h.trial.faults.map((text) => el("p", { class: "cn-note cn-bad" }, text)),
      h.trial.rejected.length ? dataTable("Questions the rules dropped", [["Rule", true], ["Dropped", false]], h.trial.rejected) : null]
      : el("p", { class: "cn-muted" }, "Not tried on sample patients yet."),
    one.may_renew ? actionButton("try", h.trial ? "Try again on sample patients" : "Try on sample patients", () => act("try"), "cn-quiet") : null,
    h.counted ? el("p", { class: "cn-muted" }, `Counted ${h.counted}. Variants, flagged instances and those that a contest took out do not count towards accuracy.`) : null];
}
function versions(one, state, act) {
  return el("ul", { class: "bk-steps" }, one.versions.map((step, at) => {
    const before = one.versions[at + 1];
    return el("li", {}, step.version === one.version ? el("strong", {}, `Version ${step.version}`) : link(query("/bank/", { template: one.template, version: step.version }), `Version ${step.version}`),
      ` ${step.said}${step.when ? `, ${step.when}` : ""} `,
      before ? actionButton(`compare-${step.version}`, "What changed", () => act("compare", { version: step.version, before: before.version }), "cn-quiet", `What version ${step.version} changed`) : null,
      state.compared && state.compared.version === step.version ? el("div", { class: "bk-changes" }, state.compared.lines.map(([title, texts]) => [el("h4", {}, title), el("ul", {}, texts.map((text) => el("li", {}, text)))])) : null);
  }));
}
function retireForm(one, state, act) {
  const leave = () => { state.retiring = false; state.draw(); state.focus("retire"); };
  const submit = (event) => { event.preventDefault(); act("retire", { reason: event.target.querySelector("textarea").value }); };
  return el("form", { class: "cn-note cn-warn", onsubmit: submit, onkeydown: (event) => { if (event.key === "Escape") leave(); } },
    el("strong", {}, "Retire it for good?"), el("p", {}, "No new benchmark will use it. What was made with it stays as it is. To put something right, begin a new version instead."),
    el("label", { class: "st-field" }, "Why (kept on record)", el("textarea", { rows: "2", maxlength: "2000", required: true, "data-keep": "reason", "data-key": "reason" })),
    el("div", { class: "st-actions" }, actionButton("keep", "Leave it as it is", leave), el("button", { type: "submit", class: "cn-button", "data-key": "sure" }, "Retire it")));
}
