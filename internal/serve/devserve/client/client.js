// The preview's script on a page: it refreshes the page when its source changes and shows findings. It is never published.
(() => {
  "use strict";
  const self = document.currentScript;
  const base = new URL(".", self.src).href;
  let rev = Number(self.dataset.lecternDev) || 0;

  const here = () => {
    let path = location.pathname;
    try { path = decodeURI(path); } catch { /* as it is */ }
    return path.replace(/(?:\/index)?(?:\.html)?\/?$/, "") || "/";
  };
  const same = (address) => {
    try { address = decodeURI(address); } catch { /* as it is */ }
    return (address.replace(/\/$/, "") || "/") === here();
  };

  // refresh shows the page's current state. The theme may do that in place; otherwise the browser reloads the page.
  const refresh = () => {
    if (document.dispatchEvent(new CustomEvent("lectern:refresh", { cancelable: true }))) location.reload();
  };

  const told = (news) => {
    const fresh = news.rev > rev;
    rev = Math.max(rev, news.rev);
    if (fresh && (news.whole || (news.pages || []).some(same))) refresh();
    else if (news.findings) overlay.load();
  };

  const listen = () => {
    const stream = new EventSource(base + "events?rev=" + rev);
    stream.onmessage = (message) => told(JSON.parse(message.data));
    stream.onerror = () => { // the URL contains the revision, so the browser itself would reconnect with an old one
      stream.close();
      setTimeout(listen, 500);
    };
    addEventListener("pagehide", () => stream.close(), { once: true });
  };
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text) element.textContent = text;
    return element;
  };
  const count = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");

  class Overlay extends HTMLElement {
    #hidden = false; // closed by the author, until there is something new
    #open = false;
    #last = "";

    constructor() {
      super();
      this.attachShadow({ mode: "open" });
      const style = make("link");
      style.rel = "stylesheet";
      style.href = base + "client.css";
      this.box = make("div", "box");
      this.box.hidden = true;
      style.onload = () => { this.box.hidden = false; };
      this.shadowRoot.append(style, this.box);
      addEventListener("keydown", (event) => { if (event.key === "Escape" && this.#open) { this.#open = false; this.show(); } });
    }

    async load() {
      let data;
      try {
        data = await (await fetch(base + "findings?path=" + encodeURIComponent(here()))).json();
      } catch { return; } // the preview was stopped
      const errors = data.page.filter((f) => f.severity === "error");
      const now = JSON.stringify(data.page);
      if (now !== this.#last) {
        this.#hidden = false;
        this.#open = errors.length > 0 || data.broken;
      }
      this.#last = now;
      this.data = data;
      this.show();
    }

    show() {
      const { data } = this;
      if (!data) return;
      this.box.replaceChildren();
      const errors = data.page.filter((f) => f.severity === "error").length;
      const warnings = data.page.length - errors;
      this.dataset.errors = String(errors);
      this.dataset.warnings = String(warnings);
      if (this.#hidden || !data.page.length && !data.errors && !data.warnings) return;
      if (this.#open) this.box.append(this.panel(data, errors));
      else this.box.append(this.badge(data, errors, warnings));
    }

    badge(data, errors, warnings) {
      const bar = make("div", "bar");
      const button = make("button", errors ? "badge error" : warnings ? "badge warning" : "badge");
      button.type = "button";
      const parts = [];
      if (errors) parts.push(count(errors, "error"));
      if (warnings) parts.push(count(warnings, "warning"));
      button.textContent = (parts.join(", ") || "This page is fine") + " · " + this.total(data);
      button.onclick = () => { this.#open = true; this.show(); };
      bar.append(button, this.closing(() => { this.#hidden = true; this.show(); }, "Hide"));
      return bar;
    }

    total(data) {
      const n = count(data.errors, "error") + ", " + count(data.warnings, "warning");
      return "site: " + n + (data.checked ? "" : " …");
    }

    closing(work, label) {
      const button = make("button", "close", "×");
      button.type = "button";
      button.setAttribute("aria-label", label);
      button.onclick = work;
      return button;
    }

    panel(data, errors) {
      const panel = make("section", "panel");
      panel.setAttribute("role", errors ? "alert" : "region");
      panel.setAttribute("aria-label", "Findings of the preview");
      const head = make("header");
      const title = data.broken ? "The site file cannot be used; the last good state is shown" : errors ? "This page has errors" : data.page.length ? "This page has warnings" : "This page is fine";
      head.append(make("h2", "", title), make("span", "total", this.total(data)), this.closing(() => { this.#open = false; this.show(); }, "Close"));
      const list = make("ol");
      for (const f of data.page) list.append(this.item(f));
      panel.append(head, list);
      return panel;
    }

    item(f) {
      const item = make("li", f.severity);
      const place = f.file + (f.line ? ":" + f.line + (f.column ? ":" + f.column : "") : "");
      item.append(make("p", "place", place), make("p", "message", f.message + " "));
      item.lastChild.append(make("code", "", f.code));
      if (f.excerpt.trim()) {
        const mark = f.mark < 0 ? "" : "\n" + [...f.excerpt].slice(0, f.mark).map((c) => c === "\t" ? "\t" : " ").join("") + "^";
        item.append(make("pre", "", f.excerpt + mark));
      }
      if (f.hint) item.append(make("p", "hint", f.hint));
      return item;
    }
  }
  customElements.define("lectern-dev", Overlay);
  const overlay = document.createElement("lectern-dev");
  document.documentElement.append(overlay); // next to the body, whose children belong to the page
  document.addEventListener("lectern:page", () => overlay.load());
  overlay.load();
  listen();
})();
