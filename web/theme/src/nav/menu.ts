// @ts-nocheck
// Menus are details elements: a click elsewhere, Escape, or leaving them by keys closes them; arrows move inside.
import { all, find } from "../page/page";

const MENUS = "details.switch, details.menu, details[data-menu]";
const menuOf = (node) => node instanceof Element ? node.closest(MENUS) : null;
const shut = (except) => { for (const menu of all(MENUS)) if (menu.open && !(except && menu.contains(except))) menu.open = false; };
addEventListener("pointerdown", (event) => shut(event.target));
addEventListener("focusin", (event) => shut(event.target));
addEventListener("click", (event) => { // a choice was made
  const menu = menuOf(event.target);
  const link = event.target.closest?.("a");
  if (menu && event.target.closest("[data-print]")) {
    menu.open = false;
    print(); // browsers offer to save as PDF, with the page's own style for paper
  }
  if (!menu || !link) return;
  menu.open = false;
  if (menu.dataset.kind === "language" && link.hreflang) { // a server that chooses by the browser's language asks this first
    document.cookie = `lectern-language=${encodeURIComponent(link.hreflang)}; path=/; max-age=31536000; samesite=lax`;
  }
});
addEventListener("keydown", (event) => {
  const menu = menuOf(event.target);
  if (event.key === "Escape") {
    const open = menu?.open ? menu : all(MENUS).find((m) => m.open);
    if (!open) return;
    const inside = open.contains(document.activeElement);
    open.open = false;
    if (inside) find("summary", open).focus();
    event.preventDefault();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!menu || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!menu.open) menu.open = true;
  const items = all("a[href], button", menu).filter((e) => e.getClientRects().length);
  const at = items.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
  items[next]?.focus();
  event.preventDefault();
});
document.addEventListener("lectern:page", () => shut());
