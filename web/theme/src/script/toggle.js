// The button that switches between light and dark.
for (const button of document.querySelectorAll("button.scheme")) {
  const root = document.documentElement;
  const show = () => button.setAttribute("aria-pressed", String(root.dataset.scheme === "dark"));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    root.dataset.scheme = root.dataset.scheme === "dark" ? "light" : "dark";
    try { localStorage.setItem("lectern-scheme", root.dataset.scheme); } catch { /* the choice lasts for this page */ }
    show();
  });
}
