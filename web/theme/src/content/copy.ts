// Copy buttons: on each code block, on the URL of an operation, and in prompts.
import { copyText } from "../page/clipboard";
import { all, announce, drawing, find, make, onPage, word } from "../page/page";
import { say } from "../page/say";

onPage(() => {
  const shapes: [path: string, className: string][] = [
    ["M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1", "idle"],
    ["M5 12.5l4.5 4.5L19 7", "done"],
  ];
  const label = (button: HTMLElement, text: string) => { button.title = text; button.setAttribute("aria-label", text); };
  for (const block of all("figure.code:not([data-nocopy]), .api-bar")) {
    const code = find("code", block);
    if (!code || find(":scope > button.copy", block)) continue;
    const button = make("button", { type: "button", className: "copy code-block-copy-button", dataset: { copy: "", platform: "" } }, ...shapes.map((s) => drawing(...s)));
    let timer: number | undefined;
    label(button, word("Copy"));
    button.addEventListener("click", async () => {
      const done = await copyText(code.textContent.replace(/\n$/, ""));
      if (done) announce("copy");
      else getSelection()?.selectAllChildren(code);
      label(button, word(done ? "Copied" : "Selected"));
      say(button.title);
      button.dataset.state = "done";
      clearTimeout(timer);
      timer = setTimeout(() => { label(button, word("Copy")); delete button.dataset.state; }, 1600);
    });
    if (block.matches(".api-bar")) code.after(button);
    else block.append(button);
  }

  for (const button of all(".prompt button[data-copy]")) {
    if (!button.hidden) continue;
    const text = button.textContent;
    let timer: number | undefined;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copyText(button.closest<HTMLElement>(".prompt")?.dataset.prompt ?? "");
      button.textContent = word(done ? "Copied" : "Could not copy");
      say(button.textContent);
      clearTimeout(timer);
      timer = setTimeout(() => { button.textContent = text; }, 1600);
    });
  }
});
