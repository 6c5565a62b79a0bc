// A button on each code block that copies its text.
(() => {
  const icons = [
    ["idle", "M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1"],
    ["done", "M5 12.5l4.5 4.5L19 7"],
  ].map(([name, path]) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", name);
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    svg.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    svg.firstChild.setAttribute("d", path);
    return svg;
  });
  const say = (button, text) => { button.title = text; button.setAttribute("aria-label", text); };

  for (const block of document.querySelectorAll("figure.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.dataset.copy = "";
    button.dataset.platform = "";
    button.append(...icons.map((icon) => icon.cloneNode(true)));
    say(button, "Copy");
    button.addEventListener("click", async () => {
      const code = block.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ""));
        say(button, "Copied");
      } catch {
        getSelection().selectAllChildren(code);
        say(button, "Selected");
      }
      button.dataset.state = "done";
      setTimeout(() => { say(button, "Copy"); delete button.dataset.state; }, 1600);
    });
    block.append(button);
  }
})();
