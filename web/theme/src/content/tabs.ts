// @ts-nocheck
// Tabs: keys, the tab a link points into, and equal titles chosen together, on this page and the next.
import { recall, remember } from "../page/page";

const KEY = "lectern-tabs";
const LIMIT = 30; // titles that are remembered, newest first
const known = () => { const list = recall(KEY); return Array.isArray(list) ? list.filter((t) => typeof t === "string") : []; };
const keep = (title) => remember(KEY, [title, ...known().filter((t) => t !== title)].slice(0, LIMIT));

class Tabs extends HTMLElement {
  connectedCallback() {
    if (this.tabs) return;
    this.bar = [...this.children].find((c) => c.getAttribute("role") === "tablist");
    if (!this.bar) return;
    this.tabs = [...this.bar.children];
    this.synced = this.dataset.sync !== "off";
    this.titles = this.tabs.map((t) => t.textContent.trim());
    this.panels = this.tabs.map((t) => document.getElementById(t.getAttribute("aria-controls")));
    this.tabs.forEach((tab, i) => {
      tab.addEventListener("click", () => this.choose(i));
      // Found by a search in the page: show it, but that is no choice to remember.
      this.panels[i]?.addEventListener("beforematch", () => this.show(i));
    });
    this.bar.addEventListener("keydown", (e) => this.key(e));
    let first = this.tabs.findIndex((t) => t.getAttribute("aria-selected") === "true");
    if (this.synced) {
      const title = known().find((t) => this.titles.includes(t));
      if (title !== undefined) first = this.titles.indexOf(title);
    }
    this.show(Math.max(first, 0));
  }

  show(index) {
    this.tabs.forEach((tab, i) => {
      const on = i === index;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      if (on) this.panels[i]?.removeAttribute("hidden");
      else this.panels[i]?.setAttribute("hidden", "until-found");
    });
  }

  // The reader's own choice: others with the same title follow, and the bar stays where it is on the screen.
  choose(index) {
    const top = this.bar.getBoundingClientRect().top;
    this.show(index);
    if (this.synced) {
      const title = this.titles[index];
      keep(title);
      document.dispatchEvent(new CustomEvent("lectern-tab", { detail: { title, from: this } }));
    }
    const moved = this.bar.getBoundingClientRect().top - top;
    if (moved) scrollBy({ top: moved, behavior: "instant" });
    this.tabs[index].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  follow(title) {
    const i = this.synced && this.titles ? this.titles.indexOf(title) : -1;
    if (i >= 0) this.show(i);
  }

  key(e) {
    const n = this.tabs.length;
    const at = this.tabs.indexOf(e.target.closest('[role="tab"]'));
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

  // Opens the panel that holds node.
  reveal(node) {
    const i = this.panels ? this.panels.findIndex((p) => p && p.contains(node)) : -1;
    if (i >= 0) this.show(i);
  }
}
customElements.define("lectern-tabs", Tabs);
document.addEventListener("lectern-tab", (e) => {
  for (const t of document.querySelectorAll("lectern-tabs")) if (t !== e.detail.from) t.follow(e.detail.title);
});
