// Buttons that copy their own text or the page's Markdown form. From disk, scripts may not be able to read that file; it is
// then opened.
import { copyText } from "../page/clipboard";
import { closest, find, word } from "../page/page";
import { say } from "../page/say";

const load = async (address: string) => {
  const answer = await fetch(address, { headers: { Accept: "text/markdown, text/plain" } });
  if (!answer.ok) throw new Error("The page's Markdown could not be loaded.");
  return answer.text();
};

// The button's label briefly shows the result.
const tell = (button: HTMLElement, done: boolean) => {
  const label = find("[data-label]", button) || button;
  const text = label.textContent;
  label.textContent = done ? button.dataset.done || word("Copied") : button.dataset.failed || word("Could not copy");
  button.dataset.state = done ? "done" : "failed";
  say(label.textContent);
  setTimeout(() => { label.textContent = text; delete button.dataset.state; }, 1600);
};

addEventListener("click", async (event) => {
  const button = closest(event, "[data-copy-page], [data-copy-text]");
  if (!button || "busy" in button.dataset || button.dataset.state) return;
  if (button.dataset.copyText !== undefined) return tell(button, await copyText(button.dataset.copyText));
  const address = new URL(button.dataset.copyPage ?? "", document.baseURI).href;
  if (location.protocol === "file:") {
    location.assign(address);
    return;
  }
  button.dataset.busy = "";
  const done = await copyText(load(address));
  delete button.dataset.busy;
  tell(button, done);
});
