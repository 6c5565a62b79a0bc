// live keeps a page with data-live up to date: when the server reports a change, it fetches the page again and replaces the
// [data-live-region] elements by those with the same id. It does not change anything else, such as a form that is being filled in.
import { dressAll } from "./copy";

// The only place where text becomes elements. The text is a page of this server, which has escaped it.
interface HTMLPolicy { createHTML: (html: string) => string }
declare global {
  // Not in every browser. The types of the parsers below do not include trusted types, so they are passed as strings.
  var trustedTypes: { createPolicy: (name: string, rules: HTMLPolicy) => HTMLPolicy } | undefined;
}
const policy: HTMLPolicy = globalThis.trustedTypes?.createPolicy("lectern", { createHTML: (html) => html }) ?? { createHTML: (html) => html };

const retryAfter = 10_000; // milliseconds, after the server refused the stream; browsers only reconnect by themselves after an interruption

// Replacing a region must not disturb a person who reads or types in it: expanded parts, selections, typed text and the focus are kept.
// Elements are matched by their id, otherwise by their index among elements of the same kind below the same element with an id. So the
// button in one row of a list never matches that of another row.
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
    document.querySelectorAll(".did").forEach((e) => e.remove()); // the message is outdated
    keep(before, old);
    if (held) twins(before, old, focusable).find((pair) => pair[0] === focused)?.[1].focus({ preventScroll: true });
    old.querySelectorAll("[data-follow]").forEach((e, i) => { if (atEnd[i] !== false) e.scrollTop = e.scrollHeight; });
  }
  document.title = page.title;
}

let fetching = false, again = false, pressed = false;

// If an element is replaced between press and release, the click is lost or hits another element. So replacing waits for the release. It
// ignores other mouse buttons, because a context menu consumes their release.
addEventListener("pointerdown", (e) => { if (e.button === 0) pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(released), true); // after the click event of this release

function released() {
  pressed = false;
  refreshAgain();
}

function refreshAgain() {
  if (!again || fetching || pressed) return;
  again = false;
  refresh();
}

// The header marks the request as automatic, so that it does not extend the session.
async function refresh() {
  if (fetching) { again = true; return; }
  fetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html", "Lectern-Live": "1" }, credentials: "same-origin", redirect: "manual" });
    if (answer.status === 429 || answer.status >= 500) return; // temporarily busy: do not reload, because typed text would be lost
    if (!answer.ok) { location.reload(); return; }
    const text = await answer.text();
    if (document.hidden) return; // it is updated when it becomes visible again
    if (pressed) { again = true; return; }
    swap(new DOMParser().parseFromString(policy.createHTML(text), "text/html"));
  } catch {
    // The server is temporarily unreachable. The stream reconnects by itself and reports the next change.
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

// Over HTTP/1.1, browsers open at most six connections to a server for all tabs together, so hidden tabs close their stream. When a tab
// becomes visible again, the stream's first event updates the page.
if (document.body.hasAttribute("data-live")) {
  open();
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
}
