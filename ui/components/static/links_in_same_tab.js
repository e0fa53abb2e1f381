// Gradio opens every link of a Markdown text in a new tab; those to our own pages stay in this one.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.(".prose a[target=_blank]");
    if (link?.origin === location.origin) link.removeAttribute("target");
  },
  { capture: true },
);
