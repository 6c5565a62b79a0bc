// Links to pages of this site change the page without loading a new document. Whatever is out of the ordinary is left to the browser:
// other sites, downloads, redirects to other pages, errors, pages made by another version of the platform, and everything on a disk.
import { target } from "../content/reveal";
import { closest, find, root } from "../page/page";
import { say } from "../page/say";
import { direct } from "./address";
import { fetched } from "./fetched";
import * as swap from "./swap";

// Spot is a place on a page, How the way that a page is shown: one of the history, or a new one.
interface Spot { x: number; y: number }
interface How { back?: Spot; push?: boolean }

const able = /^https?:$/.test(location.protocol) && self.origin !== "null" && "fetch" in window;
const own = find("script[src*='/_lectern/theme.'], script[src^='_lectern/theme.']");
const base = own ? new URL(own.getAttribute("src") ?? "", document.baseURI).pathname.replace(/_lectern\/[^/]*$/, "") : "/"; // of the site
const place = (url: URL | Location) => url.pathname + url.search;
let shown = place(location); // the page that is in the document
let turn = 0; // of the newest visit
let timer: number | undefined;

// page is where a link leads if it is a page that may take this one's place, else null.
export const page = (a: Element | null) => {
  if (!able || !(a instanceof HTMLAnchorElement) || !a.getAttribute("href")) return null;
  if (a.target && a.target !== "_self" || a.hasAttribute("download") || a.closest("[data-reload]") || /\bexternal\b/.test(a.rel) || a.getAttribute("role") === "button") return null;
  const url = new URL(a.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(base) || url.pathname.startsWith(base + "_lectern/")) return null;
  if (/\.(?!html?$)[a-z][a-z0-9]{0,5}$/i.test(url.pathname)) return null; // a file
  return url;
};

const state = () => history.state && typeof history.state === "object" ? history.state : {};
const save = () => history.replaceState({ ...state(), lectern: { x: scrollX, y: scrollY } }, "");
const busy = (on: boolean) => {
  clearTimeout(timer);
  if (on) timer = setTimeout(() => { root.dataset.loading = ""; }, 200);
  else delete root.dataset.loading;
};

const focus = (element: HTMLElement | null) => {
  if (!element) return;
  const had = element.hasAttribute("tabindex");
  if (!had) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  if (!had) element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
};

// arrive puts the reader at the place that the address or the history names, at once: styles may ask for smooth scrolling.
const jump = ({ x, y }: Spot) => scrollTo({ left: x, top: y, behavior: "instant" });
const arrive = (url: URL, back?: Spot) => {
  let found;
  if (url.hash && !back) {
    const kept = history.state;
    location.replace(url.hash); // only the browser can make an element the target of styles
    history.replaceState(kept, "");
    found = target();
  }
  if (found) found.element.scrollIntoView({ behavior: "instant" });
  else jump(back || { x: 0, y: 0 });
  focus(found?.element ?? find("main"));
  say(document.title);
};

// show puts the page into the document, at once: a fade would look well and swallow the next click.
const show = (url: URL, next: Document, { back, push }: How) => {
  if (push && place(url) !== shown) {
    save();
    history.scrollRestoration = "manual";
    history.pushState({ lectern: { x: 0, y: 0 } }, "", place(url)); // the hash follows
  } else if (!back) history.replaceState(state(), "", place(url));
  shown = place(url);
  swap.apply(next, url);
  document.dispatchEvent(new CustomEvent("lectern:page", { detail: { url: url.href } }));
  arrive(url, back);
};

const leave = (url: URL) => { if (place(location) === place(url)) location.reload(); else location.assign(url.href); };

// go shows a page, or leaves it to the browser.
const go = async (url: URL, how: How) => {
  const mine = ++turn;
  busy(true);
  try {
    const got = await fetched(url);
    const next = new DOMParser().parseFromString(got.text, "text/html");
    if (mine !== turn) return;
    const at = new URL(url.hash, got.url);
    if (!swap.fits(next, at)) throw new Error("another kind of page");
    await swap.prepare(next, at);
    if (mine !== turn) return;
    show(at, next, how);
  } catch {
    if (mine === turn) leave(url);
  } finally {
    if (mine === turn) busy(false);
  }
};

if (able) {
  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = closest<HTMLAnchorElement>(event, "a[href]");
    const url = page(link);
    if (!link || !url) return;
    const within = place(direct(url)) === shown && url.hash;
    if (within && link.pathname === location.pathname) return; // within the page the browser knows its way
    event.preventDefault();
    if (within) location.hash = url.hash; // the link names the page with an ending that the host strips
    else go(url, { push: true });
  });
  addEventListener("popstate", (event) => {
    const back = event.state?.lectern;
    if (place(location) === shown) {
      turn++; // a page that is on its way is not wanted any more
      busy(false);
      if (back) jump(back);
      return;
    }
    go(new URL(location.href), { back: back || { x: 0, y: 0 } });
  });

  // Where one was on a page is kept with its place in the history; the browser's own memory serves documents.
  let rest: number | undefined;
  addEventListener("scroll", () => { clearTimeout(rest); rest = setTimeout(() => { if (place(location) === shown) save(); }, 200); }, { passive: true });
  addEventListener("pagehide", () => { history.scrollRestoration = "auto"; });
  addEventListener("pageshow", (event) => { if (event.persisted && state().lectern) history.scrollRestoration = "manual"; });
  // Whoever knows that the page changed, as the preview of an author does, may have it shown as it is now, at the same place.
  document.addEventListener("lectern:refresh", (event) => {
    event.preventDefault();
    go(new URL(location.href), { back: { x: scrollX, y: scrollY } });
  });
}
