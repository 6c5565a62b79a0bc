// Tabs: selection by keyboard and by links into a panel. Tabs with the same title are selected together, on this page
// and later ones.
import { choose, chosenOf, onChoice } from "../page/choice";
import { Listbox } from "../page/listbox";
import { all, closest, find } from "../page/page";

export class Tabs extends HTMLElement {
  private bar: HTMLElement | undefined; // if it is set, the other fields are too
  private tabs: HTMLElement[] = [];
  private titles: string[] = [];
  private panels: (HTMLElement | null)[] = [];
  private synced = false;
  private at = 0; // index of the shown tab
  private menu: Listbox | undefined; // in place of the bar

  connectedCallback() {
    if (this.bar) return;
    this.bar = find<HTMLElement>(":scope > [role=tablist]", this) ?? undefined;
    if (!this.bar) return;
    this.tabs = all(":scope > *", this.bar);
    this.synced = this.dataset.sync !== "off";
    this.titles = this.tabs.map((t) => t.textContent.trim());
    this.panels = this.tabs.map((t) => document.getElementById(t.getAttribute("aria-controls") ?? ""));
    this.tabs.forEach((tab, i) => {
      tab.addEventListener("click", () => this.choose(i));
      // Found by find in page: show it, but do not remember that as a choice.
      this.panels[i]?.addEventListener("beforematch", () => this.show(i));
    });
    this.bar.addEventListener("keydown", (e) => this.key(e));
    let first = this.tabs.findIndex((t) => t.getAttribute("aria-selected") === "true");
    const kept = this.synced ? chosenOf(this.titles) : -1;
    if (kept >= 0) first = kept;
    const button = find<HTMLButtonElement>(":scope > .codegroup-pick > button", this);
    if (button) this.menu = new Listbox(button, { name: "Choose an example", options: () => this.titles, chosen: () => this.at, choose: (i) => this.choose(i) });
    this.show(Math.max(first, 0));
  }

  show(index: number) {
    this.at = index;
    this.menu?.show();
    this.tabs.forEach((tab, i) => {
      const on = i === index;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      if (on) this.panels[i]?.removeAttribute("hidden");
      else this.panels[i]?.setAttribute("hidden", "until-found");
    });
  }

  // Handles the reader's choice: tabs with the same title follow, and the bar keeps its position on the screen.
  choose(index: number) {
    if (!this.bar) return;
    const top = this.getBoundingClientRect().top;
    this.show(index);
    if (this.synced) choose(this.titles[index], this);
    const moved = this.getBoundingClientRect().top - top;
    if (moved) scrollBy({ top: moved, behavior: "instant" });
    this.tabs[index].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  follow(title: string) {
    const i = this.synced ? this.titles.indexOf(title) : -1;
    if (i >= 0) this.show(i);
  }

  key(e: KeyboardEvent) {
    const n = this.tabs.length;
    const at = this.tabs.indexOf(closest(e, '[role="tab"]')!);
    const ahead = getComputedStyle(this).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    let next;
    if (e.key === "ArrowRight" || e.key === "ArrowLeft") next = (at + (e.key === ahead ? 1 : n - 1)) % n;
    else if (e.key === "Home") next = 0;
    else if (e.key === "End") next = n - 1;
    else return;
    e.preventDefault();
    this.choose(next);
    this.tabs[next].focus();
  }

  // Shows the panel that contains node.
  reveal(node: Node) {
    const i = this.panels.findIndex((p) => p?.contains(node));
    if (i >= 0) this.show(i);
  }
}
customElements.define("lectern-tabs", Tabs);
onChoice(({ title, from }) => {
  for (const t of all<Tabs>("lectern-tabs")) if (t !== from) t.follow(title);
});
