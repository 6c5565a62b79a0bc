// On small screens the list of pages is in a drawer over the page. While it is open, it keeps the focus, and the page behind does not
// scroll.
import { all, closest, find, root } from "../page/page";

const drawer = () => find<HTMLDetailsElement>("details.drawer");
const open = () => { const d = drawer(); return d?.open && d.getClientRects().length ? d : null; };
const shut = (back?: boolean) => {
  const d = open();
  if (!d) return;
  d.open = false;
  if (back) find("summary", d)?.focus();
};
const show = () => {
  const on = Boolean(open());
  root.toggleAttribute("data-drawer", on);
  if (on) find('.sidebar [aria-current="page"]')?.scrollIntoView({ block: "center" });
};
addEventListener("toggle", (event) => { if (event.target === drawer()) show(); }, true); // does not bubble
matchMedia("(max-width: 56rem)").addEventListener("change", show);
document.addEventListener("lectern:page", () => { shut(); show(); });
addEventListener("click", (event) => {
  const a = closest<HTMLAnchorElement>(event, ".sidebar a[href]");
  if (a && a.hash && a.pathname === location.pathname) shut(); // the page does not change, so nothing else would close it
  if (open() && event.target instanceof Element && !event.target.closest(".sidebar, details.drawer, dialog")) shut(); // outside of it
});

const inside = () => {
  const d = open();
  if (!d?.parentElement) return [];
  return all("summary, .sidebar a[href], .sidebar button, .sidebar summary", d.parentElement)
    .filter((e) => (d.contains(e) || e.closest(".sidebar")) && e.getClientRects().length);
};
addEventListener("keydown", (event) => {
  if (!open() || event.defaultPrevented || find("dialog[open]")) return;
  if (event.key === "Escape") shut(true);
  if (event.key !== "Tab") return;
  const stops = inside();
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const last = stops.length - 1;
  if (at >= 0 && at !== (event.shiftKey ? 0 : last)) return;
  stops[event.shiftKey ? last : 0]?.focus();
  event.preventDefault();
});
