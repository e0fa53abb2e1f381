// The points that an answer must make, each with whether the scorer found it.
import { el } from "./dom.js";
import { _ } from "./language.js";

export const pointList = (points) =>
  points.length
    ? el(
        "section",
        { class: "cn-points", "aria-label": _("What the answer must say") },
        el("p", {}, _("What the answer must say, and whether the scorer found it:")),
        el(
          "ul",
          {},
          points.map((one) => el("li", { class: one.found ? "cn-found" : "cn-missed" }, one.text, " ", el("small", {}, `(${one.said})`))),
        ),
      )
    : null;
