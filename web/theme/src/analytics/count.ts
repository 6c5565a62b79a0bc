// Tells the server that counts what readers do here: which page they see, and what other scripts announce (see announce in page.js). Nothing
// is kept in the browser, and readers whose browser asks not to be counted are not.
import { find, onPage } from "../page/page";

const own = document.currentScript;
const address = (value: string | undefined) => value ? new URL(value, document.baseURI).href : "";
export const to = { event: address(own?.dataset.count), feedback: address(own?.dataset.feedback) };
const quiet = navigator.globalPrivacyControl === true || [navigator.doNotTrack, window.doNotTrack].includes("1");
const WAIT = 1500; // milliseconds that events are collected
const MOST = 25; // events in one message
const LARGEST = 12000; // bytes of them
const KINDS = ["view", "search", "click", "try", "copy"];
let waiting: string[] = []; // events as JSON
let size = 0; // of them
let timer = 0;

// The page says itself which one it is: its address may be one of a disk.
export const path = () => find<HTMLMetaElement>('meta[name="lectern:page"]')?.content || "";
const cut = (text: unknown, most: number) => String(text ?? "").trim().slice(0, most);

// post sends what the browser need not ask another server's leave for, also while the page goes away. Cookies go to the site itself only, which may be a private one.
export const post = (address: string, body: string) => fetch(address, {
  method: "POST", body, keepalive: true, referrerPolicy: "same-origin",
  headers: { "Content-Type": "text/plain;charset=UTF-8" }, mode: new URL(address).origin === location.origin ? "same-origin" : "no-cors",
});
const flush = () => {
  clearTimeout(timer);
  timer = 0;
  if (!waiting.length) return;
  const body = "[" + waiting.join() + "]";
  waiting = [];
  size = 0;
  post(to.event, body).catch(() => {}); // a reader must not notice
};
// Counted is what a reader did; scripts of authors may announce anything.
interface Counted { kind: string; path?: string; [name: string]: unknown }
const add = ({ kind, path: page, ...rest }: Counted) => {
  if (quiet || !to.event || !KINDS.includes(kind)) return;
  const event: Record<string, unknown> = { kind, path: cut(page || path(), 500) };
  for (const [name, most] of [["query", 200], ["target", 500], ["referrer", 253]] as const) if (rest[name]) event[name] = cut(rest[name], most);
  for (const name of ["hits", "status"]) if (Number.isInteger(rest[name])) event[name] = rest[name];
  const text = JSON.stringify(event);
  const bytes = new TextEncoder().encode(text).length + 1;
  if (waiting.length >= MOST || size + bytes > LARGEST) flush();
  waiting.push(text);
  size += bytes;
  timer ||= setTimeout(flush, WAIT);
};

// seen calls when a person can see the page: not while it is only made ready, nor in a tab behind others.
const seen = (work: () => void): void => {
  if (document.visibilityState === "visible" && !document.prerendering) return work();
  document.addEventListener(document.prerendering ? "prerenderingchange" : "visibilitychange", () => seen(work), { once: true });
};
let last: string | null = null; // the page that was counted last
let from = document.referrer;
const view = () => {
  const here = path();
  if (!here || here === last) return;
  last = here;
  let referrer = "";
  try { referrer = new URL(from).host === location.host ? "" : new URL(from).hostname; } catch { /* nobody led here */ }
  from = "";
  add({ kind: "view", path: here, referrer });
};

onPage(() => seen(view));
document.addEventListener("lectern:count", (event) => { if (event instanceof CustomEvent && event.detail) add(event.detail); });
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") flush(); });
addEventListener("pagehide", flush);
addEventListener("pageshow", (event) => { if (event.persisted) { last = null; seen(view); } });
