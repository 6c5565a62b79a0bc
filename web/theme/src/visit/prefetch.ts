// Prefetches a page when the reader is likely to open it: the pointer rests on a link, a finger touches it, or it gets the focus. The
// next page in order is fetched when its link comes into view. With data saving, only touching a link fetches a page.
import { all, closest, onPage } from "../page/page";
import { fetched } from "./fetched";
import { page } from "./visit";

const REST = 70; // milliseconds before a resting pointer counts
const ATONCE = 3;
const saving = () => navigator.connection?.saveData || /2g/.test(navigator.connection?.effectiveType || "");
let under = 0; // number of running fetches
let timer: number | undefined;
const fetchSoon = (a: HTMLAnchorElement | null) => {
  const url = a && page(a);
  if (!url || under >= ATONCE || url.pathname + url.search === location.pathname + location.search) return;
  under++;
  fetched(url, "low").catch(() => {}).finally(() => { under--; });
};
const link = (event: Event) => closest<HTMLAnchorElement>(event, "a[href]");
addEventListener("pointerover", (event) => {
  clearTimeout(timer);
  const a = event.pointerType === "mouse" && !saving() && link(event);
  if (a) timer = setTimeout(() => fetchSoon(a), REST);
}, { passive: true });
addEventListener("touchstart", (event) => fetchSoon(link(event)), { passive: true });
addEventListener("focusin", (event) => {
  clearTimeout(timer);
  const a = !saving() && link(event);
  if (a) timer = setTimeout(() => fetchSoon(a), REST);
});
// A click starts a visit, which fetches the page itself, possibly from a different URL.
addEventListener("click", () => clearTimeout(timer), true);

const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    sight.unobserve(entry.target);
    if (!saving()) fetchSoon(entry.target as HTMLAnchorElement);
  }
});
onPage(() => {
  sight.disconnect();
  for (const a of all('main a[rel="next"]')) sight.observe(a);
});
