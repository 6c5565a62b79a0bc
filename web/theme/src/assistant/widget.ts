// The assistant on pages of other sites, in a closed shadow root: style sheets and scripts of the page have no access to it. WIDGET_STYLE is its
// style sheet.
//   <script src="https://docs.example.com/_lectern/assistant-widget.js" data-language="en" data-color="#0f766e" async></script>
// window.LecternAssistant: init(options), update(options), open(), close(), ask(question), destroy(). Options are the same as the
// attributes.
import { chat } from "./chat";
import type { Chat } from "./chat";
import { asksServer } from "./server";
import type { Site } from "./site";
import { conversation } from "./talk";
import type { Conversation } from "./talk";
import { drawing, make } from "../page/page";

// WidgetOptions are the same as the attributes. Values from scripts of other sites are untrusted and are checked.
export interface WidgetOptions {
  site?: string;
  language?: string;
  version?: string;
  color?: string;
  theme?: string;
  position?: string;
  label?: string;
  title?: string;
  button?: string | boolean;
}
interface Parts { host: HTMLElement; box: HTMLElement; bubble: HTMLButtonElement; name: HTMLElement; title: HTMLElement; chat: Chat }

const script = document.currentScript as HTMLScriptElement | null;
const NAMES = ["language", "version", "color", "theme", "position", "label", "title", "button"];
const given: WidgetOptions = Object.fromEntries(NAMES.map((n) => [n, script?.dataset[n]]).filter(([, value]) => value !== undefined));
const LABEL = "Ask AI";
let options: WidgetOptions = {};
let site: Site;
let talk: Conversation | null = null;
let parts: Parts | null = null;

const readable = (colour: string) => { // black or white, whichever has the higher contrast
  const [r, g, b] = (/[\d.]+(?:, ?[\d.]+){2}/.exec(colour)?.[0] || "0,0,0").split(",").map((v) => { const c = Number(v) / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#0c0e13" : "#ffffff";
};
const dress = ({ host, bubble, name, box, title }: Parts) => {
  const label = String(options.label || LABEL);
  host.style.removeProperty("--button");
  host.style.removeProperty("--on-button");
  host.dataset.theme = options.theme === "light" || options.theme === "dark" ? options.theme : "auto";
  host.dataset.position = options.position === "left" ? "left" : "right";
  if (options.color && CSS.supports("color", options.color)) {
    host.style.setProperty("--button", options.color);
    host.style.setProperty("--on-button", readable(getComputedStyle(bubble).backgroundColor));
  }
  name.textContent = label;
  bubble.hidden = options.button === "off" || options.button === false;
  title.textContent = String(options.title || "Assistant");
  box.setAttribute("aria-label", title.textContent);
};
const build = (talk: Conversation): Parts => {
  const host = document.createElement("lectern-assistant");
  const shadow = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(WIDGET_STYLE); // not subject to the page's style policy
  shadow.adoptedStyleSheets = [sheet];
  const view = chat(site, talk, (english: string) => english);
  const icon = (path: string, name: string, press: () => unknown) => make("button", { type: "button", className: "ask-small", title: name, "aria-label": name, onclick: press }, drawing(path, "ask-icon"));
  const title = make("h2"), name = make("span");
  const bubble = make("button", { type: "button", className: "ask-bubble", "aria-expanded": "false", onclick: () => (box.hidden ? open() : close()) },
    drawing("M12 3.5l1.9 5.1 5.1 1.9-5.1 1.9-1.9 5.1-1.9-5.1-5.1-1.9 5.1-1.9z", "ask-icon"), name);
  const box: HTMLElement = make("section", { className: "ask-window", role: "dialog", hidden: true },
    make("header", { className: "ask-head" }, title, icon("M12 5v14M5 12h14", "New conversation", () => { talk.clear(); view.focus(); }), icon("M6 6l12 12M18 6L6 18", "Close", () => close())), view.element);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    event.stopPropagation(); // do not trigger the page's shortcuts
  });
  shadow.append(box, bubble);
  document.body.append(host);
  return { host, box, bubble, name, title, chat: view };
};

const init = (more: WidgetOptions = {}): void => {
  if (parts) return update(more);
  const source = script?.src ?? "";
  if (!more.site && !source) throw new Error("LecternAssistant.init needs the option site: the address of the docs");
  const root = more.site ? new URL(String(more.site).replace(/\/?$/, "/"), location.href) : new URL("../", source);
  options = { ...given, ...more };
  site = {
    root: root.href, api: new URL("_lectern/api/assistant", root).href, suffix: "", away: true, path: "",
    language: String(options.language || ""), version: String(options.version || ""),
  };
  talk = conversation("lectern-assistant:" + site.root, asksServer(site));
  parts = build(talk);
  dress(parts);
};
const update = (more: WidgetOptions = {}): void => {
  if (!parts) return init(more);
  options = { ...options, ...more };
  Object.assign(site, { language: String(options.language || ""), version: String(options.version || "") });
  dress(parts);
};
const show = (on: boolean) => {
  if (!parts) return;
  parts.box.hidden = !on;
  parts.bubble.setAttribute("aria-expanded", String(on));
};
const open = () => { if (!parts) init(); show(true); parts?.chat.bottom(); parts?.chat.focus(); };
const close = () => { if (!parts) return; show(false); parts.bubble.focus({ preventScroll: true }); };
const ask = (question: string) => {
  open();
  const text = String(question).slice(0, 4000);
  if (talk?.busy) parts?.chat.draft(text);
  else talk?.ask(text);
};
const destroy = () => {
  if (!parts) return;
  talk?.stop();
  parts.chat.end();
  parts.host.remove();
  parts = null;
};
window.LecternAssistant = { init, update, open, close, ask, destroy };
if (script && script.dataset.init !== "off") {
  if (document.body) init();
  else addEventListener("DOMContentLoaded", () => { if (!parts) init(); });
}
