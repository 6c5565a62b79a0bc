// Buttons that copy: one on each code block, and those of prompts.
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

  // Where the page came from a file or over plain HTTP, browsers may have no clipboard: an invisible field does it there.
  const byField = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.style.cssText = "position:fixed;inset:0 auto auto 0;opacity:0";
    const before = document.activeElement;
    document.body.append(field);
    field.select();
    let done = false;
    try { done = document.execCommand("copy"); } catch { /* told below */ }
    field.remove();
    before?.focus?.({ preventScroll: true });
    return done;
  };
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { return byField(text); }
  };

  const said = document.createElement("span");
  said.setAttribute("role", "status");
  said.style.cssText = "position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
  document.body.append(said);
  const announce = (text) => { said.textContent = ""; said.textContent = text; };

  const say = (button, text) => { button.title = text; button.setAttribute("aria-label", text); };
  for (const block of document.querySelectorAll("figure.code:not([data-nocopy])")) {
    const button = document.createElement("button");
    let timer;
    button.type = "button";
    button.className = "copy";
    button.dataset.copy = "";
    button.dataset.platform = "";
    button.append(...icons.map((icon) => icon.cloneNode(true)));
    say(button, "Copy");
    button.addEventListener("click", async () => {
      const code = block.querySelector("code");
      const done = await copy(code.textContent.replace(/\n$/, ""));
      if (!done) getSelection().selectAllChildren(code);
      say(button, done ? "Copied" : "Selected");
      announce(done ? "Copied" : "Selected");
      button.dataset.state = "done";
      clearTimeout(timer);
      timer = setTimeout(() => { say(button, "Copy"); delete button.dataset.state; }, 1600);
    });
    block.append(button);
  }

  for (const button of document.querySelectorAll(".prompt button[data-copy]")) {
    const label = button.textContent;
    let timer;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copy(button.closest(".prompt").dataset.prompt);
      button.textContent = done ? "Copied" : "Could not copy";
      announce(button.textContent);
      clearTimeout(timer);
      timer = setTimeout(() => { button.textContent = label; }, 1600);
    });
  }
})();
