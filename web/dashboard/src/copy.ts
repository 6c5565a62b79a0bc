// copy gives every [data-copy] a button that copies its <code> to the clipboard, and announces that to screen readers.

const status = document.createElement("p");
status.className = "hidden";
status.setAttribute("role", "status");
document.body.append(status);

function dress(box: HTMLElement) {
  if (box.querySelector(":scope > button")) return;
  const code = box.querySelector("code");
  if (!code) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy " + (box.dataset.copy || "to the clipboard"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = status.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(code); // without a secure origin there is no clipboard: select the text, so that it can be copied by keyboard
      button.textContent = status.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; status.textContent = ""; }, 2000);
  });
  box.append(button);
}

export function dressAll(root: ParentNode) {
  root.querySelectorAll<HTMLElement>("[data-copy]").forEach(dress);
}

dressAll(document);
