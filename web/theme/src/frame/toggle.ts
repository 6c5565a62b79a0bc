// The button that switches between light and dark. The browser's toolbar gets the page's colour.
import { all, closest, onPage, root } from "../page/page";

const show = () => {
  const scheme = root.dataset.scheme ?? "";
  for (const button of all("button.scheme")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(scheme === "dark"));
  }
  for (const meta of all<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = meta.dataset[scheme] || meta.content;
};
addEventListener("click", (event) => {
  if (!closest(event, "button.scheme")) return;
  root.dataset.scheme = root.dataset.scheme === "dark" ? "light" : "dark";
  try { localStorage.setItem("lectern-scheme", root.dataset.scheme); } catch { /* kept only on this page */ }
});
new MutationObserver(show).observe(root, { attributes: true, attributeFilter: ["data-scheme"] });
onPage(show);
