// The people page: accounts as a table, with what can be done to each. After dom.js.
const root = element.querySelector(".pp-root"), box = element.querySelector(".pp-message");
let people = [], roles = [], resetting = null, invitation = null;
const send = (out) => ask("select", out, root, box);
watch("value", () => {
  const reply = props.value;
  if (!reply || reply.out || !reply.people) return;
  answered(root);
  if (reply.message && reply.message.tone !== "bad") { resetting = null; root.querySelectorAll("[data-keep]").forEach((field) => { field.value = ""; }); }
  people = reply.people; roles = reply.roles; invitation = reply.invitation || null;
  if (invitation) root.querySelectorAll("[data-keep]").forEach((field) => { field.value = ""; });
  showMessage(box, reply.message);
  draw();
});
function field(label, key, attributes = {}) {
  return el("label", { class: "st-field" }, label, el("input", { "data-keep": key, "data-key": key, maxlength: "200", autocomplete: "off", ...attributes }));
}
function draw() {
  redraw(root,
    dataTable(`${people.length} accounts`, [["Name", true], ["Role", true], ["Kind", true], ["State", true], ["Last change saved", true], ["Actions", true]],
      people.map((one) => [one.name, one.role, one.kind, one.active ? "on" : "switched off", one.last, actions(one)])),
    resetting ? resetForm() : null, invitation ? invitationPanel() : null, addForm());
}
// The link is told once and kept nowhere: whoever has it chooses the password.
function invitationPanel() {
  return el("div", { class: "st-panel", role: "status" },
    el("h2", {}, `Invitation for ${invitation.name}`),
    el("p", { class: "cn-muted" }, "Give this link to nobody else. It works once, within 7 days, and until the account's password changes."),
    el("label", { class: "st-field" }, "Link", el("input", { readonly: true, "data-key": "invitation", value: `${location.origin}${invitation.path}`, onfocus: (event) => event.target.select() })));
}
function actions(one) {
  return el("div", { class: "st-actions" },
    actionButton(`reset-${one.name}`, "New password", () => { resetting = one.name; draw(); root.querySelector('[data-key="new-password"]').focus(); }, "cn-quiet", `New password for ${one.name}`),
    one.active ? actionButton(`invite-${one.name}`, "Invite", () => send({ action: "invite", name: one.name }), "cn-quiet", `Invite ${one.name} to choose a password`) : null,
    one.switchable ? actionButton(`switch-${one.name}`, one.active ? "Switch off" : "Switch on", () => send({ action: one.active ? "switch_off" : "switch_on", name: one.name }), "cn-quiet", `${one.active ? "Switch off" : "Switch on"} ${one.name}`)
      : el("span", { class: "cn-muted" }, one.why));
}
function resetForm() {
  const submit = (event) => { event.preventDefault(); send({ action: "reset", name: resetting, password: root.querySelector('[data-keep="new-password"]').value }); };
  return el("form", { class: "st-panel", onsubmit: submit, "aria-label": `New password for ${resetting}` },
    el("h2", {}, `New password for ${resetting}`),
    el("p", { class: "cn-muted" }, "At least 8 characters. Every open session of the account ends."),
    field("New password", "new-password", { type: "password", autocomplete: "new-password", required: true }),
    el("div", { class: "st-actions" }, el("button", { type: "submit", class: "cn-button cn-primary" }, "Set the password"),
      actionButton("keep", "Leave it as it is", () => { resetting = null; draw(); })));
}
function addForm() {
  const value = (key) => root.querySelector(`[data-keep="${key}"]`).value;
  const submit = (event) => {
    event.preventDefault();
    send({ action: "add", name: value("name"), role: root.querySelector('input[name="pp-role"]:checked')?.value || null, password: value("password") });
  };
  return el("form", { class: "st-panel", onsubmit: submit, "aria-label": "Add an account" },
    el("h2", {}, "Add an account"),
    el("div", { class: "st-fields" }, field("Name", "name", { required: true }), field("Password (leave empty to invite)", "password", { type: "password", autocomplete: "new-password" })),
    el("fieldset", {}, el("legend", {}, "Role"),
      el("div", { class: "st-options" }, roles.map((role) => el("label", { class: "st-option" },
        el("input", { type: "radio", name: "pp-role", value: role.role, "data-key": `role-${role.role}` }), el("span", {}, el("strong", {}, role.role), ` ${role.does}`))))),
    el("div", { class: "st-actions" }, el("button", { type: "submit", class: "cn-button cn-primary" }, "Add the account")));
}
draw();
