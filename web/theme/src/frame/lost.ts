// The page for unknown URLs is shown at any depth, below any path of the site, and from disk. It needs no other files until this inline
// script has found the site's root: the parent folder of the URL that contains a file that only this site has. Then the page gets its
// frame, with URLs relative to the root.
const { mark, base, home } = document.currentScript!.dataset;
const page = document.documentElement;

// Until its styles are loaded, the page only shows its paper colour in the reader's colour scheme.
const kept = () => { try { return localStorage.getItem("lectern-scheme"); } catch { return null; } };
const scheme = ["strict" in page.dataset ? null : kept(), page.dataset.appearance].find((s) => s === "light" || s === "dark");
const show = () => { page.style.visibility = page.style.colorScheme = ""; };
page.style.visibility = "hidden";
page.style.colorScheme = scheme ?? "light dark";
const shown = location.pathname;
const folder = new URL(".", location.href).href;
const disk = location.protocol === "file:";

// Places are absolute URLs: in a path that starts with two slashes, browsers would treat the first element as a host.
const places = new Set<string>();
if (disk || /\/404(\.html)?$/.test(shown)) places.add(folder);
if (!disk) {
  if (base && shown.startsWith(base)) places.add(location.origin + base);
  let at = location.origin + "/";
  places.add(at);
  for (const piece of shown.split("/").slice(0, -1).filter(Boolean).slice(0, 20)) places.add(at += piece + "/");
}

// Scripts are created again, because scripts of a template do not run.
const live = (element: Element) => {
  if (element.localName !== "script") return element;
  const script = document.createElement("script");
  for (const { name, value } of element.attributes) script.setAttribute(name, value);
  script.async = false;
  return script;
};

const settle = (place: string) => {
  const first = new URL(disk ? "index.html" : ".", place);
  if (home !== undefined && shown !== first.pathname) { // the author configured a redirect to the first page
    location.replace(first);
    return;
  }
  if (place !== folder) document.head.prepend(Object.assign(document.createElement("base"), { href: place }));
  const [head, body] = document.querySelectorAll<HTMLTemplateElement>("template[data-lost]");
  document.body.replaceChildren(body.content);
  document.body.dataset.reload = ""; // other pages must not be shown in this document
  for (const a of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) a.href = location.href.split("#")[0] + a.getAttribute("href");
  const parts = [...head.content.children].map(live);
  const sheets = parts.filter((e) => e instanceof HTMLLinkElement && e.rel === "stylesheet") as HTMLLinkElement[];
  let left = sheets.length;
  for (const sheet of sheets) sheet.onload = sheet.onerror = () => { if (!--left) show(); };
  document.head.append(...parts);
};

const look = (rest: IterableIterator<string>) => {
  const { value: place, done } = rest.next();
  if (done) {
    show();
    return;
  }
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: place + mark });
  sheet.onload = () => settle(place);
  sheet.onerror = () => {
    sheet.remove();
    look(rest);
  };
  document.head.append(sheet);
};

setTimeout(show, 2000); // maximum waiting time
addEventListener("DOMContentLoaded", () => look(places.values()));

export {};
