// Replaces the current page by another page of the site: first what its head needs, then its body.
import { all, find, make, root } from "../page/page";
import { restore } from "../nav/tree";
import { morph } from "./morph";

const LOOSE = 'meta:not([charset]), link:not([rel~="stylesheet"], [rel~="icon"], [rel~="preload"]), script[type="application/ld+json"]';
const OURS = /\/_lectern\/(?:theme|boot)\.[^/]+$/; // depend on the platform's version
const STATE = ["data-scheme", "data-paper", "data-banner-off", "data-loading", "data-drawer", "style", "class"]; // of <html>, set by scripts
const stem = (address: string) => address.replace(/\.[0-9a-f]{6,}(?=\.\w+$)/, "");
const absolute = (element: Element, name: string, base: string | URL) => { try { return new URL(element.getAttribute(name) ?? "", base).href; } catch { return ""; } };
const sources = (page: ParentNode, base: string | URL) => all("script[src]", page).map((e) => absolute(e, "src", base));
const sheetsOf = (page: ParentNode, base: string | URL) =>
  all<HTMLLinkElement>('head > link[rel~="stylesheet"]', page).map((e): [HTMLLinkElement, string] => [e, absolute(e, "href", base)]);

// Nodes that the server wrote. Other nodes were added by authors' scripts and are kept. URLs are resolved now, because they are
// relative to the current page.
const served = new WeakSet<Node>([...document.head.children, ...document.body.childNodes]);
const sheets = new Map(sheetsOf(document, document.baseURI)); // element → address
const scripts = new Set(sources(document, document.baseURI)); // that have run
const names = new Map([root, document.body].map((e): [Element, string[]] => [e, e.getAttributeNames().filter((name) => !STATE.includes(name))]));
const ours = () => [...sheets.values(), ...scripts].filter((a) => OURS.test(a)).sort().join();

// Browsers request the icon again when the URL changes, and would resolve a relative one against the new URL.
for (const icon of all<HTMLLinkElement>('head > link[rel~="icon"]')) icon.href = icon.href;

// If a page needs the diagram script, our script element has its URL. It is absolute, so that it does not depend on the page's
// URL.
const own = find("script[src*='_lectern/theme.']");
const diagrams = (page: ParentNode, base: string | URL) => {
  const holder = find("[data-mermaid-src]", page);
  if (holder && own) own.dataset.mermaidSrc = absolute(holder, "data-mermaid-src", base);
  else delete own?.dataset.mermaidSrc;
};
diagrams(document, document.baseURI);

// fits reports whether the page can be shown in this document: it has the same version of the platform, and no scripts other than
// those of this page and the platform's.
export const fits = (next: Document, base: string | URL) => {
  const files = [...sheetsOf(next, base).map(([, address]) => address), ...sources(next, base)];
  if (files.filter((a) => OURS.test(a)).sort().join() !== ours()) return false;
  if (!find("main", next) || find('meta[http-equiv="refresh" i]', next)) return false;
  const stems = new Set([...scripts].map(stem));
  // A script of another version of the site, or an author's script for this page only, needs a new document.
  return sources(next, base).every((address) => scripts.has(address) || address.includes("/_lectern/") && !stems.has(stem(address)));
};

// prepare loads the style sheets of the page. Those of the old page stay until it is replaced.
export const prepare = (next: Document, base: string | URL) => {
  const waits: Promise<unknown>[] = [];
  let last: HTMLLinkElement | null = null;
  for (const [link, address] of sheetsOf(next, base)) {
    const there = [...sheets].find(([, a]) => a === address);
    if (there) { last = there[0]; continue; }
    const added = link.cloneNode() as HTMLLinkElement;
    added.setAttribute("href", address);
    waits.push(new Promise((done) => { added.onload = added.onerror = done; setTimeout(done, 3000); }));
    if (last) last.after(added);
    else document.head.append(added);
    sheets.set(added, address);
    last = added;
  }
  return Promise.all(waits);
};

const dress = (element: Element, next: Element) => {
  for (const name of names.get(element) ?? []) if (!next.hasAttribute(name)) element.removeAttribute(name);
  names.set(element, next.getAttributeNames().filter((name) => !STATE.includes(name)));
  for (const name of names.get(element) ?? []) element.setAttribute(name, next.getAttribute(name) ?? "");
};

const head = (next: Document, base: string | URL) => {
  document.title = next.title;
  const olds = all(":scope > :is(" + LOOSE + ")", document.head).filter((e) => served.has(e));
  const news = all("head > :is(" + LOOSE + ")", next);
  for (const old of olds) if (!news.some((e) => e.isEqualNode(old))) old.remove();
  for (const e of news) {
    if (olds.some((old) => e.isEqualNode(old))) continue;
    served.add(e);
    document.head.append(e);
  }
  const wanted = new Set(sheetsOf(next, base).map(([, address]) => address));
  for (const [link, address] of sheets) if (!wanted.has(address)) { link.remove(); sheets.delete(link); }
};

// run adds the page's scripts that have not run yet, in their order. Scripts of components hydrate the islands of the
// page.
const run = (addresses: string[]) => {
  for (const src of addresses) {
    if (scripts.has(src)) continue;
    scripts.add(src);
    document.head.append(make("script", { src, async: false }));
  }
};

export const apply = (next: Document, base: string | URL) => {
  const bar = find(".sidebar");
  const top = bar?.scrollTop || 0;
  const addresses = sources(next, base);
  restore(next, base);
  const news = [...next.body.childNodes];
  head(next, base);
  diagrams(next, base);
  dress(root, next.documentElement);
  dress(document.body, next.body);
  for (const part of news) served.add(part);
  morph(document.body, [...document.body.childNodes].filter((part) => served.has(part)), news);
  const after = find(".sidebar");
  if (after && after !== bar) after.scrollTop = top; // a kept sidebar keeps its position, and reading that would force a layout
  run(addresses);
};
