// Runs before the first paint: the reader's own choice of colours, else the site's default.
(() => {
  const root = document.documentElement;
  let choice = null;
  if (!("strict" in root.dataset)) {
    try { choice = localStorage.getItem("lectern-scheme"); } catch { /* storage is closed to us */ }
  }
  if (choice !== "light" && choice !== "dark") choice = root.dataset.appearance;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = () => { root.dataset.scheme = choice === "light" || choice === "dark" ? choice : dark.matches ? "dark" : "light"; };
  set();
  if (choice === "system") dark.addEventListener("change", set);
})();
