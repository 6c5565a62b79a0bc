// Sends analytics events to the server: page views, and events that other scripts announce (see announce in page.ts). It stores nothing in
// the browser, and sends nothing if the browser asks not to track.
import { find, onPage } from "../page/page";

const own = document.currentScript;
const address = (value: string | undefined) => value ? new URL(value, document.baseURI).href : "";
export const to = { event: address(own?.dataset.count), feedback: address(own?.dataset.feedback) };
const quiet = navigator.globalPrivacyControl === true || [navigator.doNotTrack, window.doNotTrack].includes("1");
const WAIT = 1500; // milliseconds to collect events before sending
const MOST = 25; // events in one message
const LARGEST = 12000; // bytes of them
const KINDS = ["view", "search", "click", "try", "copy"];
let waiting: string[] = []; // events as JSON
let size = 0; // of them
let timer = 0;

// The page contains its path, because its URL may be that of a file on disk.
export const path = () => find<HTMLMetaElement>('meta[name="lectern:page"]')?.content || "";
const cut = (text: unknown, most: number) => String(text ?? "").trim().slice(0, most);

// post sends a request that needs no CORS preflight, even while the page is unloaded. Cookies are only sent to the site itself, which may be private.
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
  post(to.event, body).catch(() => {}); // failures must not disturb readers
};
// Counted is an announced event. Authors' scripts may announce anything.
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

// seen calls work when the page is visible: not during prerendering or in a background tab.
const seen = (work: () => void): void => {
  if (document.visibilityState === "visible" && !document.prerendering) return work();
  document.addEventListener(document.prerendering ? "prerenderingchange" : "visibilitychange", () => seen(work), { once: true });
};
let last: string | null = null; // the last page that was counted
let from = document.referrer;
const view = () => {
  const here = path();
  if (!here || here === last) return;
  last = here;
  let referrer = "";
  try { referrer = new URL(from).host === location.host ? "" : new URL(from).hostname; } catch { /* no referrer */ }
  from = "";
  add({ kind: "view", path: here, referrer });
};

onPage(() => seen(view));
document.addEventListener("lectern:count", (event) => { if (event instanceof CustomEvent && event.detail) add(event.detail); });
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") flush(); });
addEventListener("pagehide", flush);
addEventListener("pageshow", (event) => { if (event.persisted) { last = null; seen(view); } });
