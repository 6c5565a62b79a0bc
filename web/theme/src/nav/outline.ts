// The outline lists the visible headings, without those in closed accordions and behind other tabs, and marks the current section with a
// marker, whose position is in --mark-top and --mark-size of the list. In narrow windows, a bar opens the list.
import { all, closest, find, onPage, root } from "../page/page";

let links = new Map<HTMLElement, HTMLAnchorElement>(); // heading → its link
let outline: HTMLElement | null = null;
let marked: HTMLElement | null = null;
let waiting = false;

const place = () => {
  const a = marked && links.get(marked);
  const list = a && a.closest<HTMLElement>(".outline ul, .outline ol");
  if (!list) return;
  const line = list.getBoundingClientRect();
  const box = a.getBoundingClientRect();
  list.style.setProperty("--mark-top", box.top - line.top + "px");
  list.style.setProperty("--mark-size", box.height + "px");
  list.dataset.marked = "";
};

// markItems also marks list items for authors' rules: the current one and its ancestors.
const markItems = (a: Element) => {
  const items = all(".toc-item", outline ?? root), depth = (e: HTMLElement) => Number(e.dataset.depth);
  for (const e of items) { delete e.dataset.active; delete e.dataset.activeDeepest; }
  let at = items.findIndex((e) => e.contains(a));
  if (at >= 0) items[at].dataset.activeDeepest = "true";
  for (let above = Infinity; at >= 0; at--) {
    if (depth(items[at]) < above) { above = depth(items[at]); items[at].dataset.active = "true"; }
  }
};

const open = (heading: HTMLElement) => heading.isConnected && !heading.closest("[hidden], details:not([open]) > :not(summary)");
const list = () => {
  for (const [heading, a] of links) {
    const item = a.closest("li");
    if (!item) continue;
    delete item.dataset.folded; // the state set by the server
    item.hidden = !open(heading);
  }
};

const mark = () => {
  waiting = false;
  const headings = [...links.keys()].filter(open);
  if (!outline || !headings.length) return;
  // Slightly below the position that a link to a heading scrolls to. At the top of the page, the first heading is
  // current.
  const line = Math.min(innerHeight / 4, (parseFloat(getComputedStyle(root).scrollPaddingTop) || 0) + 32);
  let current = headings[0];
  if (scrollY > 0) for (const h of headings) if (h.getBoundingClientRect().top <= line) current = h;
  // The last sections may be too short to reach this line.
  if (scrollY > 0 && scrollY + innerHeight >= root.scrollHeight - 2) current = headings[headings.length - 1];
  if (current === marked) return;
  if (marked) links.get(marked)?.removeAttribute("aria-current");
  marked = current;
  const a = links.get(current)!;
  a.setAttribute("aria-current", "true");
  markItems(a);
  place();
  const top = a.offsetTop - outline.scrollTop;
  if (top < 40 || top > outline.clientHeight - 80) outline.scrollTop = a.offsetTop - outline.clientHeight / 2;
};
const soon = () => { if (!waiting) { waiting = true; requestAnimationFrame(mark); } };
const sizes = new ResizeObserver(() => { place(); soon(); });
const changes = new MutationObserver(() => { list(); place(); soon(); });

onPage(() => {
  links = new Map();
  marked = null;
  sizes.disconnect();
  changes.disconnect();
  outline = find(".outline");
  for (const a of all<HTMLAnchorElement>(".outline a[href^='#']")) {
    let id = a.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* use it unchanged */ }
    const heading = document.getElementById(id);
    if (heading && !links.has(heading)) links.set(heading, a);
  }
  if (!outline || !links.size) return;
  list();
  const text = find("article.content");
  if (text) changes.observe(text, { attributes: true, attributeFilter: ["hidden", "open"], subtree: true });
  sizes.observe(outline);
  mark();
});
addEventListener("scroll", () => { if (links.size) soon(); }, { passive: true });

addEventListener("toggle", (event) => { if (event.target instanceof Element && event.target.matches(".outline-toggle")) place(); }, true);
const bar = () => find<HTMLDetailsElement>(".outline-toggle[open]");
addEventListener("click", (event) => { // a heading was selected, or the click was elsewhere
  const shown = bar();
  if (shown && (closest(event, ".outline nav a") || !closest(event, ".outline"))) shown.open = false;
});
addEventListener("keydown", (event) => {
  const shown = bar();
  if (event.key !== "Escape" || !shown || event.defaultPrevented) return;
  shown.open = false;
  find("summary", shown)?.focus();
});
