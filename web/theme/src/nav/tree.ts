// The tree of a large section. Its pages only list the groups around them; other groups are links to their first page. The script expands
// them in place from a file with the whole tree, which is loaded on hover or focus. They stay expanded when the page changes.
import { all, closest, find, make, onPage } from "../page/page";

const trees = new Map<string, Document>(); // address of the file → its tree
const loads = new Map<string, Promise<unknown>>();
let file = ""; // of the current page
const FILE = /_lectern\/nav\/[^/]*$/;
const CLOSED = ".sidebar[data-tree] li:is([data-part]:is(.closed, .more), [data-rest]) > a";

const fileOf = (bar: HTMLElement, base: string | URL) => new URL(bar.dataset.tree ?? "", base).href;
const sidebar = (page: ParentNode = document) => find(".sidebar[data-tree]", page);

// The files are scripts, so that they also load from disk. URLs in them are relative to the site's root.
window.lecternTree = (html) => {
  const src = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
  const tree = new DOMParser().parseFromString(html, "text/html");
  for (const name of ["href", "src"]) {
    for (const e of all(`[${name}]`, tree)) e.setAttribute(name, new URL(e.getAttribute(name) ?? "", src.replace(FILE, "")).href);
  }
  trees.set(src, tree);
};
const load = () => {
  let one = loads.get(file);
  if (!one) {
    one = new Promise((resolve, reject) => document.head.append(make("script", { src: file, async: true, onload: resolve, onerror: reject })));
    const mine = file;
    one.catch(() => loads.delete(mine));
    loads.set(file, one);
  }
  return one;
};

const label = (item: Element) => find(":scope > a, :scope > details > summary", item)?.textContent;
const first = (item: Element) => find<HTMLAnchorElement>("a[href]", item)?.href;

// open replaces a link by the whole group. It returns null if the tree does not have the group, because it is of another version of the
// site.
const open = (item: HTMLElement) => {
  const group = find(`li[data-part="${item.dataset.part}"]`, trees.get(file));
  if (!group || item.matches(".closed") && label(group) !== label(item)) return null;
  const whole = group.cloneNode(true) as HTMLElement;
  const details = find<HTMLDetailsElement>(":scope > details", whole);
  if (details) details.open = true;
  item.replaceWith(whole);
  return whole;
};

// fill replaces the link at the end of a shortened list by the missing entries.
const fill = (item: HTMLElement) => {
  const { list, rest } = item.dataset;
  const whole = find(list === "0" ? "ul" : `li[data-part="${list}"] ul`, trees.get(file));
  const items = whole ? [...whole.children] : [];
  const near = rest === "earlier" ? item.nextElementSibling : item.previousElementSibling;
  const at = items.findIndex((e) => near && first(e) === first(near));
  if (at < 0) return null;
  const missing = (rest === "earlier" ? items.slice(0, at) : items.slice(at + 1)).map((e) => e.cloneNode(true) as HTMLElement);
  item.replaceWith(...missing);
  return missing[0];
};

const follow = async (a: HTMLAnchorElement, item: HTMLElement) => {
  try {
    await load();
    const shown = item.isConnected && (item.dataset.rest ? fill(item) : open(item));
    if (shown) find("summary, a", shown)?.focus({ preventScroll: true });
    else if (item.isConnected) location.assign(a.href);
  } catch {
    location.assign(a.href);
  }
};
addEventListener("click", (event) => {
  const a = closest<HTMLAnchorElement>(event, CLOSED);
  if (!a?.parentElement || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  follow(a, a.parentElement);
});
addEventListener("keydown", (event) => { // these links are announced as buttons
  const a = event.key === " " && closest(event, CLOSED);
  if (!a) return;
  event.preventDefault();
  a.click();
});
for (const type of ["pointerover", "focusin"]) {
  addEventListener(type, (event) => {
    if (closest(event, ".sidebar[data-tree]")) load().catch(() => {}); // a click retries
  }, { passive: true });
}
onPage(() => {
  const bar = sidebar();
  file = bar ? fileOf(bar, document.baseURI) : "";
  for (const a of all(CLOSED)) {
    a.setAttribute("role", "button");
    a.setAttribute("aria-expanded", "false");
  }
});

// restore expands, in a page that is about to be shown, the groups that are expanded on the current page.
export const restore = (next: ParentNode, base: string | URL) => {
  const bar = sidebar(next);
  if (!bar || fileOf(bar, base) !== file || !trees.has(file)) return;
  const parts = new Set(all("li[data-part] > details[open]", sidebar() ?? document).map((e) => e.parentElement?.dataset.part));
  for (const item of all(".closed[data-part]", bar)) if (parts.has(item.dataset.part)) open(item);
  for (const details of all<HTMLDetailsElement>("li[data-part] > details", bar)) if (parts.has(details.parentElement?.dataset.part)) details.open = true;
};
