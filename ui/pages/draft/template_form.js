// The sections of the template form, in the order of writing: wording, computation, answer; the rest is
// collapsed.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { clearMessagePlaces, newId, registerMessagePlace } from "./faults.js";
import { renderField, renderFields } from "./form_renderer.js";
import { change, copy, get, keyOf, remove, state } from "./state.js";

const DERIVED_FIELDS = ["id", "operation", "subtype", "steps", "answer_type"];
const COLLAPSED_FIELDS = ["mistakes", "slots", "givens", "requires", "tags", "example"];
const spec = (name) => state.schema.template.find((one) => one.name === name);
const field = (name) => renderField(spec(name), [name]);

export function form() {
  clearMessagePlaces();
  if (get(["wording"]) === undefined) state.content.wording = [""];
  return el("form", { class: "df-form", novalidate: true, onsubmit: (event) => event.preventDefault() },
    field("wording"), field("tree"),
    el("fieldset", { class: "df-group" }, el("legend", {}, _("Answer")), el("div", { class: "df-row" }, field("decimals"), field("unit"))),
    field("source"),
    collapsible("follows", _("Filled in from the above, until you write something else"), renderFields(DERIVED_FIELDS.map(spec), [])),
    COLLAPSED_FIELDS.map((name) => collapsible(name, title(name), [sectionContent(name)].flat())));
}
function title(name) {
  const value = get([name]);
  const count = value === undefined || value === null ? 0 : name === "example" ? 1 : Object.keys(value).length;
  const said = count || _("none");
  return `${spec(name).label}: ${said}`;
}
function collapsible(key, summary, content) {
  return el("details", { class: "df-fold", "data-fold": key, open: state.opened.has(key),
    ontoggle: (event) => { if (event.currentTarget.open) state.opened.add(key); else state.opened.delete(key); } },
    el("summary", {}, summary), content);
}
function sectionContent(name) {
  if (name !== "example") return field(name);
  const there = get([name]) !== undefined && get([name]) !== null;
  const press = (label, act) => el("button", { type: "button", class: "cn-button cn-quiet", "data-path": `${keyOf([name])}+`, onclick: act }, label);
  if (there) return [field(name), press(_("Remove the example"), () => { remove([name]); state.edited(); state.draw(); })];
  const box = el("fieldset", { class: "df-group" }, el("legend", {}, spec(name).label));
  box.append(registerMessagePlace([name], [box]), press(_("Add an example"), () => { change([name], copy(state.schema.variants.Example.begins)); state.draw(); }));
  return box;
}
