// The tree of a large section. Its pages list the groups around them; the others are links to their first page. They open in place from one
// file that has the whole tree, which is loaded when a reader comes near, and stay open while pages change.
import { all, closest, find, make, onPage } from "../page/page";

const trees = new Map<string, Document>(); // address of the file → its tree
const loads = new Map<string, Promise<unknown>>();
let file = ""; // of the page that is shown
const FILE = /_lectern\/nav\/[^/]*$/;
const CLOSED = ".sidebar[data-tree] li:is([data-part]:is(.closed, .more), [data-rest]) > a";

const fileOf = (bar: HTMLElement, base: string | URL) => new URL(bar.dataset.tree ?? "", base).href;
const sidebar = (page: ParentNode = document) => find(".sidebar[data-tree]", page);

// The files are scripts, which load from a disk too. Addresses in them are as seen from the site's root.
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

// open puts a whole group in the place of a link. The tree may be of another version of the site than the page: then it has no such group.
const open = (item: HTMLElement) => {
  const group = find(`li[data-part="${item.dataset.part}"]`, trees.get(file));
  if (!group || item.matches(".closed") && label(group) !== label(item)) return null;
  const whole = group.cloneNode(true) as HTMLElement;
  const details = find<HTMLDetailsElement>(":scope > details", whole);
  if (details) details.open = true;
  item.replaceWith(whole);
  return whole;
};

// fill puts what is missing from a long list in the place of the link to it.
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
addEventListener("keydown", (event) => { // a button, as far as readers know
  const a = event.key === " " && closest(event, CLOSED);
  if (!a) return;
  event.preventDefault();
  a.click();
});
for (const type of ["pointerover", "focusin"]) {
  addEventListener(type, (event) => {
    if (closest(event, ".sidebar[data-tree]")) load().catch(() => {}); // a click tries again
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

// restore opens in a page that is about to be shown the groups that are open on the one before.
export const restore = (next: ParentNode, base: string | URL) => {
  const bar = sidebar(next);
  if (!bar || fileOf(bar, base) !== file || !trees.has(file)) return;
  const parts = new Set(all("li[data-part] > details[open]", sidebar() ?? document).map((e) => e.parentElement?.dataset.part));
  for (const item of all(".closed[data-part]", bar)) if (parts.has(item.dataset.part)) open(item);
  for (const details of all<HTMLDetailsElement>("li[data-part] > details", bar)) if (parts.has(details.parentElement?.dataset.part)) details.open = true;
};
