// The YAML editor for the same content as the form.
import { el } from "../components/dom.js";
import { _ } from "../components/language.js";
import { newId } from "./faults.js";
import { state } from "./state.js";

export function yamlEditor(typedIn) {
  const id = newId(), errorId = newId();
  const area = el("textarea", { id, class: "df-yaml", "data-path": "yaml", rows: "30", spellcheck: "false", autocomplete: "off", wrap: "off",
    "aria-describedby": errorId, oninput: () => { state.yaml = area.value; typedIn(); } });
  area.value = state.yaml;
  const error = el("p", { id: errorId, class: "df-faults df-yaml-error", hidden: true });
  return el("div", { class: "df-form" }, el("label", { for: id }, _("The template as YAML")), error, area);
}
export function showYamlError(root) {
  const error = root.querySelector(".df-yaml-error"), area = root.querySelector(".df-yaml");
  if (!error) return;
  error.hidden = !state.yamlError;
  if (error.textContent !== (state.yamlError ?? "")) error.textContent = state.yamlError ?? "";
  if (state.yamlError) area.setAttribute("aria-invalid", "true");
  else area.removeAttribute("aria-invalid");
}
