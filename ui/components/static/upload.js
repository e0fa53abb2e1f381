// A file input that sends its file as the body of a request, with a progress bar.
import { _ } from "./language.js";

const MEGABYTE = 1024 * 1024;

// `trigger` fires Gradio's events: `choose` when a file is chosen, `upload` once it has arrived. After that the input
// stays disabled until the page has looked at the file (`listen_for_upload`).
export function start(element, trigger, { address, largest }) {
  const input = element.querySelector("input");
  const bar = element.querySelector("progress");
  const said = element.querySelector(".cn-upload-said");
  const say = (text, bad = false) => {
    said.textContent = text;
    said.className = bad ? "cn-upload-said cn-note cn-bad" : "cn-upload-said";
  };
  const choose = async () => {
    const [file] = input.files;
    if (!file) return;
    trigger("choose");
    if (file.size > largest) {
      say(_("The file has {size} MB, and at most {most} MB can be uploaded.", megabytes(file.size, largest)), true);
      return;
    }
    say(_("Uploading {name} …", { name: file.name }));
    bar.hidden = false;
    input.disabled = true;
    const { reply, failure } = await send(address, file, (share) => (bar.value = 100 * share));
    bar.hidden = true;
    input.disabled = !failure;
    say(failure ?? "", Boolean(failure)); // the page says what it found in the file
    if (!failure) trigger("upload", { index: 0, value: reply });
  };
  // The field shows the file that was sent; emptied only now, so that the same file, corrected, can be chosen again.
  let before = input.files;
  input.addEventListener("click", () => {
    before = input.files;
    input.value = "";
  });
  input.addEventListener("cancel", () => (input.files = before));
  input.addEventListener("change", choose);
  choose(); // a file that was chosen before this script had loaded
}

const megabytes = (size, most) => ({ size: Math.ceil(size / MEGABYTE), most: Math.floor(most / MEGABYTE) });

// Resolves to { reply } or { failure: text }. XMLHttpRequest, as fetch does not say how much has been sent.
function send(address, file, progress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${address}?name=${encodeURIComponent(file.name)}`);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => {
      if (request.status === 200) return resolve({ reply: request.response });
      if (request.status === 401) return resolve({ failure: _("You are logged out: log in again in another tab.") });
      const refused = _("The server refused this ({status}); reload the page and go on.", { status: request.status });
      return resolve({ failure: request.response?.detail ?? refused });
    };
    request.onerror = () => resolve({ failure: _("The upload was cut off; try it again.") });
    request.setRequestHeader("content-type", "application/octet-stream");
    request.send(file);
  });
}
