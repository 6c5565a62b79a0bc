// Menus are details elements. A click elsewhere, Escape, or moving the focus out closes them; arrow keys move the focus
// inside.
import { all, closest, find } from "../page/page";

const MENUS = "details.switch, details.menu, details[data-menu]";
const menuOf = (node: EventTarget | null) => node instanceof Element ? node.closest<HTMLDetailsElement>(MENUS) : null;
const shut = (except?: EventTarget | null) => { for (const menu of all<HTMLDetailsElement>(MENUS)) if (menu.open && !(except instanceof Node && menu.contains(except))) menu.open = false; };
addEventListener("pointerdown", (event) => shut(event.target));
addEventListener("focusin", (event) => shut(event.target));
addEventListener("click", (event) => { // a choice was made
  const menu = menuOf(event.target);
  const link = closest<HTMLAnchorElement>(event, "a");
  if (menu && closest(event, "[data-print]")) {
    menu.open = false;
    print(); // browsers can save it as PDF, with the page's print styles
  }
  if (!menu || !link) return;
  menu.open = false;
  if (menu.dataset.kind === "language" && link.hreflang) { // a server that selects the language by the browser checks this first
    document.cookie = `lectern-language=${encodeURIComponent(link.hreflang)}; path=/; max-age=31536000; samesite=lax`;
  }
});
addEventListener("keydown", (event) => {
  const menu = menuOf(event.target);
  if (event.key === "Escape") {
    const open = menu?.open ? menu : all<HTMLDetailsElement>(MENUS).find((m) => m.open);
    if (!open) return;
    const inside = open.contains(document.activeElement);
    open.open = false;
    if (inside) find("summary", open)?.focus();
    event.preventDefault();
    return;
  }
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!menu || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!menu.open) menu.open = true;
  const items = all("a[href], button", menu).filter((e) => e.getClientRects().length);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
  items[next]?.focus();
  event.preventDefault();
});
document.addEventListener("lectern:page", () => shut());
