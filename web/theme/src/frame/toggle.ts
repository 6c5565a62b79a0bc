// @ts-nocheck
// The button that switches between light and dark, and the browser's own frame, which takes the page's colour.
import { all, onPage, root } from "../page/page";

const show = () => {
  const scheme = root.dataset.scheme;
  for (const button of all("button.scheme")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(scheme === "dark"));
  }
  for (const meta of all('meta[name="theme-color"]')) if (meta.dataset[scheme]) meta.content = meta.dataset[scheme];
};
addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("button.scheme")) return;
  root.dataset.scheme = root.dataset.scheme === "dark" ? "light" : "dark";
  try { localStorage.setItem("lectern-scheme", root.dataset.scheme); } catch { /* the choice lasts for this page */ }
});
new MutationObserver(show).observe(root, { attributes: true, attributeFilter: ["data-scheme"] });
onPage(show);
