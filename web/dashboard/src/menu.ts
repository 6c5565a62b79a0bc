// menu closes the phone's menu on Escape and on a click elsewhere.

const menu = document.querySelector<HTMLDetailsElement>("[data-menu]");

if (menu) {
  addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  addEventListener("click", (e) => { if (menu.open && !menu.contains(e.target as Node)) menu.open = false; });
}

export {};
