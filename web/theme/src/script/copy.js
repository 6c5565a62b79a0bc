// A button on each code block that copies its text.
for (const block of document.querySelectorAll("figure.code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.dataset.copy = "";
  button.dataset.platform = "";
  button.addEventListener("click", async () => {
    const text = block.querySelector("code").textContent.replace(/\n$/, "");
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(block.querySelector("code"));
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });
  block.append(button);
}
