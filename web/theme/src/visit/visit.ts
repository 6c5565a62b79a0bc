// Links to pages of this site change the page without loading a new document. All other cases are left to the browser: other sites,
// downloads, redirects to other pages, errors, pages built by another version of the platform, and pages on disk.
import { target } from "../content/reveal";
import { closest, find, root } from "../page/page";
import { say } from "../page/say";
import { direct } from "./address";
import { fetched } from "./fetched";
import * as swap from "./swap";

// Spot is a scroll position. How describes a visit: back is the position for an entry of the history, push is set for a
// new one.
interface Spot { x: number; y: number }
interface How { back?: Spot; push?: boolean }

const able = /^https?:$/.test(location.protocol) && self.origin !== "null" && "fetch" in window;
const own = find("script[src*='/_lectern/theme.'], script[src^='_lectern/theme.']");
const base = own ? new URL(own.getAttribute("src") ?? "", document.baseURI).pathname.replace(/_lectern\/[^/]*$/, "") : "/"; // path of the site's root
const place = (url: URL | Location) => url.pathname + url.search;
let shown = place(location); // the page in the document
let turn = 0; // number of the newest visit
let timer: number | undefined;

// page returns the URL of a link if it leads to a page that can replace this one, otherwise null.
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

// arrive scrolls to the anchor or to the position from the history, instantly, because styles may set smooth scrolling.
const jump = ({ x, y }: Spot) => scrollTo({ left: x, top: y, behavior: "instant" });
const arrive = (url: URL, back?: Spot) => {
  let found;
  if (url.hash && !back) {
    const kept = history.state;
    location.replace(url.hash); // only the browser can set the element that :target matches
    history.replaceState(kept, "");
    found = target();
  }
  if (found) found.element.scrollIntoView({ behavior: "instant" });
  else jump(back || { x: 0, y: 0 });
  focus(found?.element ?? find("main"));
  say(document.title);
};

// show puts the page into the document without a transition, which would swallow the next click.
const show = (url: URL, next: Document, { back, push }: How) => {
  if (push && place(url) !== shown) {
    save();
    history.scrollRestoration = "manual";
    history.pushState({ lectern: { x: 0, y: 0 } }, "", place(url)); // the hash is set later
  } else if (!back) history.replaceState(state(), "", place(url));
  shown = place(url);
  swap.apply(next, url);
  document.dispatchEvent(new CustomEvent("lectern:page", { detail: { url: url.href } }));
  arrive(url, back);
};

const leave = (url: URL) => { if (place(location) === place(url)) location.reload(); else location.assign(url.href); };

// go shows a page, or lets the browser load it.
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
    if (within && link.pathname === location.pathname) return; // the browser handles links within the page
    event.preventDefault();
    if (within) location.hash = url.hash; // the link has an extension that the host strips
    else go(url, { push: true });
  });
  addEventListener("popstate", (event) => {
    const back = event.state?.lectern;
    if (place(location) === shown) {
      turn++; // cancels a page that is being loaded
      busy(false);
      if (back) jump(back);
      return;
    }
    go(new URL(location.href), { back: back || { x: 0, y: 0 } });
  });

  // The scroll position on a page is stored in its history entry; the browser only restores positions of documents.
  let rest: number | undefined;
  addEventListener("scroll", () => { clearTimeout(rest); rest = setTimeout(() => { if (place(location) === shown) save(); }, 200); }, { passive: true });
  addEventListener("pagehide", () => { history.scrollRestoration = "auto"; });
  addEventListener("pageshow", (event) => { if (event.persisted && state().lectern) history.scrollRestoration = "manual"; });
  // An event with which other scripts, such as an author's preview, reload a changed page at the same position.
  document.addEventListener("lectern:refresh", (event) => {
    event.preventDefault();
    go(new URL(location.href), { back: { x: scrollX, y: scrollY } });
  });
}
