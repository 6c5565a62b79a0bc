// Shows the target of a URL's anchor even in a closed accordion or behind another tab, and expands everything for printing.
import { all, closest, onPage, root } from "../page/page";
import type { Tabs } from "./tabs";

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
// Links from other sites may use ids in the format of another tool, so only letters and digits are compared.
const alike = (id: string) => {
  const want = letters(id);
  return want && all("article.content [id]").find((e) => letters(e.id) === want);
};
// The element that the anchor refers to, and whether its id matches exactly; undefined if there is none.
export const target = () => {
  let id = location.hash.slice(1);
  try { id = decodeURIComponent(id); } catch { /* use it unchanged */ }
  const exact = id && document.getElementById(id);
  const element = exact || id && alike(id);
  return element ? { element, exact: Boolean(exact) } : undefined;
};

const reveal = (event?: Event) => {
  const found = target();
  if (!found) return;
  let opened = !found.exact; // the browser did not scroll to it
  for (let n: HTMLElement | null = found.element; n; n = n.parentElement) {
    if (n instanceof HTMLDetailsElement && !n.open) { n.open = true; opened = true; }
    if (n.getAttribute("role") === "tabpanel" && n.hasAttribute("hidden")) { n.closest<Tabs>("lectern-tabs")?.reveal?.(n); opened = true; }
  }
  if (opened || event) found.element.scrollIntoView();
};
addEventListener("hashchange", reveal);
addEventListener("click", (e) => { // a link to the current anchor
  const a = closest<HTMLAnchorElement>(e, 'a[href^="#"]');
  if (a && a.hash === location.hash) reveal(e);
});
onPage(() => reveal());

// Opening an accordion sets the URL's anchor to it, so that the URL can be copied.
addEventListener("click", (e) => {
  const box = closest(e, "summary")?.parentElement;
  if (!(box instanceof HTMLDetailsElement) || !box.matches("details.accordion[id]") || closest(e, "a")) return;
  const hash = "#" + encodeURI(box.id);
  if (!box.open) history.replaceState(history.state, "", hash);
  else if (location.hash === hash) history.replaceState(history.state, "", location.pathname + location.search);
});

const closed = new Set<HTMLDetailsElement>();
addEventListener("beforeprint", () => {
  if (root.dataset.scheme === "dark") { root.dataset.paper = "dark"; root.dataset.scheme = "light"; }
  for (const d of all<HTMLDetailsElement>("article.content details:not([open])")) { d.open = true; closed.add(d); }
});
addEventListener("afterprint", () => {
  if (root.dataset.paper) { root.dataset.scheme = root.dataset.paper; delete root.dataset.paper; }
  for (const d of closed) d.open = false;
  closed.clear();
});
