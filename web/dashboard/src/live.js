// live follows a page that says it is live: the server tells when it would look different, the page is fetched again, and its
// [data-live-region] elements are replaced by those of the same id. Everything else, such as a form somebody types in, is left alone.
import { dressAll } from "./copy.js";

// The only place where text becomes elements. It comes from this server's own page, whose texts are escaped there.
const policy = globalThis.trustedTypes?.createPolicy("lectern", { createHTML: (html) => html }) ?? { createHTML: (html) => html };

function keepOpen(old, fresh) {
  old.querySelectorAll("details[id]").forEach((d) => {
    const twin = fresh.querySelector(`details[id="${CSS.escape(d.id)}"]`);
    if (twin) twin.open = d.open;
  });
}

function swap(page) {
  for (const fresh of page.querySelectorAll("[data-live-region][id]")) {
    const old = document.getElementById(fresh.id);
    if (!old || old.isEqualNode(fresh)) continue;
    keepOpen(old, fresh);
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    const atEnd = [...old.querySelectorAll("[data-follow]")].map((e) => e.scrollHeight - e.scrollTop - e.clientHeight < 40);
    old.replaceChildren(...document.importNode(fresh, true).childNodes);
    dressAll(old);
    if (focused) document.getElementById(focused)?.focus();
    old.querySelectorAll("[data-follow]").forEach((e, i) => { if (atEnd[i] !== false) e.scrollTop = e.scrollHeight; });
  }
  document.title = page.title;
}

let fetching = false, again = false;

async function refresh() {
  if (fetching) { again = true; return; }
  fetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin", redirect: "manual" });
    if (!answer.ok) { location.reload(); return; }
    swap(new DOMParser().parseFromString(policy.createHTML(await answer.text()), "text/html"));
  } catch {
    // The server is away for a moment; the stream connects again by itself and brings the next change.
  } finally {
    fetching = false;
    if (again) { again = false; refresh(); }
  }
}

if (document.body.hasAttribute("data-live")) {
  const source = new EventSource("/dashboard/live?page=" + encodeURIComponent(location.pathname + location.search));
  source.addEventListener("change", refresh);
  source.addEventListener("gone", () => { source.close(); location.reload(); });
  addEventListener("pagehide", () => source.close());
}
