// live follows a page that says it is live: the server tells when it would look different, the page is fetched again, and its
// [data-live-region] elements are replaced by those of the same id. Everything else, such as a form somebody types in, is left alone.
import { dressAll } from "./copy";

// The only place where text becomes elements. It comes from this server's own page, whose texts are escaped there.
interface HTMLPolicy { createHTML: (html: string) => string }
declare global {
  // Not in every browser. The types of the parsers below do not know trusted texts, so they pass as strings.
  var trustedTypes: { createPolicy: (name: string, rules: HTMLPolicy) => HTMLPolicy } | undefined;
}
const policy: HTMLPolicy = globalThis.trustedTypes?.createPolicy("lectern", { createHTML: (html) => html }) ?? { createHTML: (html) => html };

const retryAfter = 10_000; // milliseconds, when the server refused the stream: the browser tries again by itself only when it was cut off

// Whoever reads or types in a region must not notice that it was replaced: what was unfolded, chosen or typed there stays, and so does the
// focus. Elements are known again by their id, or else by their place among those of their kind below the same named element: the button in
// one row of a list never stands for that of another row.
function twins<E extends HTMLElement>(old: Element, fresh: Element, kind: string): [was: E, now: E][] {
  const under = (e: E) => e.closest("[id]")?.id ?? "";
  const name = (e: E, all: E[]) => (e.id ? "#" + e.id : under(e) + " " + all.filter((o) => !o.id && under(o) === under(e)).indexOf(e));
  const before = [...old.querySelectorAll<E>(kind)], after = [...fresh.querySelectorAll<E>(kind)];
  const named = new Map(after.map((e) => [name(e, after), e]));
  return before.flatMap((e) => { const now = named.get(name(e, before)); return now ? [[e, now]] : []; });
}

function keep(old: Element, fresh: Element) {
  for (const [was, now] of twins<HTMLDetailsElement>(old, fresh, "details")) now.open = was.open;
  for (const [was, now] of twins<HTMLSelectElement>(old, fresh, "select")) {
    if ([...now.options].some((o) => o.value === was.value)) now.value = was.value;
  }
  for (const [was, now] of twins<HTMLInputElement>(old, fresh, "input:not([type=hidden]), textarea")) {
    if (was.value !== was.defaultValue) now.value = was.value;
    if (was.checked !== was.defaultChecked) now.checked = was.checked;
  }
}

const focusable = "a, button, summary, input, select, textarea, [tabindex]";

function swap(page: Document) {
  for (const fresh of page.querySelectorAll("[data-live-region][id]")) {
    const old = document.getElementById(fresh.id);
    if (!old || old.isEqualNode(fresh)) continue;
    const before = old.cloneNode(false) as Element, focused = document.activeElement;
    const held = focused?.matches(focusable) && old.contains(focused);
    const atEnd = [...old.querySelectorAll("[data-follow]")].map((e) => e.scrollHeight - e.scrollTop - e.clientHeight < 40);
    before.append(...old.childNodes);
    old.append(...document.importNode(fresh, true).childNodes);
    dressAll(old);
    document.querySelectorAll(".did").forEach((e) => e.remove()); // what it tells of is no longer the newest
    keep(before, old);
    if (held) twins(before, old, focusable).find((pair) => pair[0] === focused)?.[1].focus({ preventScroll: true });
    old.querySelectorAll("[data-follow]").forEach((e, i) => { if (atEnd[i] !== false) e.scrollTop = e.scrollHeight; });
  }
  document.title = page.title;
}

let fetching = false, again = false, pressed = false;

// A click is lost, or meant for something else, if its element is replaced between press and release. The page waits for the release. Other
// buttons are left out: a context menu keeps the release to itself.
addEventListener("pointerdown", (e) => { if (e.button === 0) pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(released), true); // after the click it belongs to

function released() {
  pressed = false;
  refreshAgain();
}

function refreshAgain() {
  if (!again || fetching || pressed) return;
  again = false;
  refresh();
}

// The header says that nobody did this by hand: it does not keep the person signed in.
async function refresh() {
  if (fetching) { again = true; return; }
  fetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html", "Lectern-Live": "1" }, credentials: "same-origin", redirect: "manual" });
    if (answer.status === 429 || answer.status >= 500) return; // busy for a moment: what somebody types here must not be lost for that
    if (!answer.ok) { location.reload(); return; }
    const text = await answer.text();
    if (document.hidden) return; // it is brought up to date when somebody looks again
    if (pressed) { again = true; return; }
    swap(new DOMParser().parseFromString(policy.createHTML(text), "text/html"));
  } catch {
    // The server is away for a moment; the stream connects again by itself and brings the next change.
  } finally {
    fetching = false;
    refreshAgain();
  }
}

let source: EventSource | null = null, retry = 0;

function open() {
  if (source || document.hidden) return;
  source = new EventSource("/dashboard/live?page=" + encodeURIComponent(location.pathname + location.search));
  source.addEventListener("change", refresh);
  source.addEventListener("gone", () => { close(); location.reload(); });
  source.addEventListener("error", () => {
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    retry = setTimeout(() => { refresh(); open(); }, retryAfter);
  });
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

// Browsers open six connections to a server over HTTP/1.1, for all tabs together: those that nobody sees do without. The stream's first
// event brings a page up to date that is looked at again.
if (document.body.hasAttribute("data-live")) {
  open();
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
}
