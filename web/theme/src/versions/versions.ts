// The menu of a site's versions from branches and tags. Its list is loaded when a reader opens the menu, so pages do not change when a
// version is added. An entry links to the same page of the other version, or to its first page if it does not have that page.
import { closest, find, make } from "../page/page";

interface Version { name: string; path: string; prerelease?: boolean; current?: boolean }

const lists = new Map<string, Promise<Version[]>>();
const load = async (address: URL): Promise<Version[]> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  return (await response.json() as { versions: Version[] }).versions;
};

const fill = async (menu: HTMLDetailsElement, panel: HTMLElement, list: string) => {
  const address = new URL(list, document.baseURI);
  const loading = lists.get(address.href) ?? load(address);
  lists.set(address.href, loading);
  try {
    const versions = await loading;
    const base = new URL("..", address);
    // The path must not lead to another host, whatever it contains.
    const below = "./" + (location.pathname.startsWith(base.pathname) ? location.pathname.slice(base.pathname.length) : "").replace(/^[/\\]+/, "");
    panel.replaceChildren(...versions.map(({ name, path, prerelease, current }) => {
      const home = new URL(path, base);
      const link = make("a", { href: new URL(below, home).href, dataset: { home: home.href } }, name);
      if (prerelease) link.append(" ", make("span", { className: "tag" }, "pre"));
      if (current) link.setAttribute("aria-current", "true");
      return link;
    }));
  } catch {
    lists.delete(address.href); // load it again the next time the menu is opened
    menu.open = false;
  }
};

document.addEventListener("toggle", (event) => {
  const menu = event.target;
  if (!(menu instanceof HTMLDetailsElement) || !menu.open || !menu.dataset.versions) return;
  const panel = find(".panel", menu);
  if (panel) void fill(menu, panel, menu.dataset.versions);
}, true);

addEventListener("click", (event) => {
  const link = closest<HTMLAnchorElement>(event, "[data-versions] a[data-home]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { href, dataset: { home = href } } = link;
  fetch(href, { method: "HEAD" }).then(({ ok }) => location.assign(ok ? href : home), () => location.assign(href));
});
