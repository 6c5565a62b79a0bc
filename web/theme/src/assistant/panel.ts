// @ts-nocheck
// The assistant on the pages of its own site: a panel beside the page, or, on a page that is made for it, the page itself. There is one
// conversation, whichever shows it.
import { chat } from "./chat";
import { asksIndex } from "./passage";
import { asksServer } from "./server";
import { conversation } from "./talk";
import { drawing, find, make, root, word } from "../page/page";

const OPEN = "lectern-assistant-open";
const button = () => find("[data-assistant]");
const narrow = matchMedia("(max-width: 48rem)"); // there the panel covers the page
const site = {}; // what the assistant knows of the page that is shown, see know
let talk = null;
let panel = null; // { element, chat }
let here = null; // the conversation within the page: { chat, place }
let opener = null; // what has the focus back when the panel closes

const phrase = (english) => Object.hasOwn(site.words, english) ? site.words[english] : english;
const know = () => {
  const data = button().dataset;
  const whole = (address) => address === undefined ? "" : new URL(address || "./", document.baseURI).href;
  let words = {};
  try { words = JSON.parse(data.words || "{}"); } catch { /* English */ }
  const spoke = site.said;
  Object.assign(site, {
    api: whole(data.api), engine: whole(data.engine), index: whole(data.index), root: whole(data.root), suffix: data.suffix, path: data.path,
    language: data.language || "", version: data.version || "", words, said: data.words || "",
  });
  talk ??= conversation("lectern-assistant:" + site.root, site.api ? asksServer(site) : asksIndex(site));
  if (spoke !== site.said) drop(); // the page speaks another language
};
const drop = () => {
  if (!panel) return;
  alone(false);
  panel.chat.end();
  panel.element.remove();
  panel = null;
};
const keep = (open) => { try { sessionStorage.setItem(OPEN, open ? "1" : ""); } catch { /* the next page starts without */ } };

const build = () => {
  const view = chat(site, talk, phrase);
  const icon = (path, label, press) => make("button", { type: "button", className: "ask-small", title: label, "aria-label": label, onclick: press }, drawing(path, "ask-icon"));
  const title = make("h2", { id: "ask-title" }, phrase("Assistant"));
  const element = make("aside", { className: "ask-panel", "aria-labelledby": title.id, hidden: true },
    make("header", { className: "ask-head" }, title,
      icon("M12 5v14M5 12h14", phrase("New conversation"), () => { talk.clear(); view.focus(); }),
      icon("M6 6l12 12M18 6L6 18", word("Close"), () => close())),
    view.element);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  });
  element.addEventListener("click", (event) => { // a phone shows either the page or the panel
    if (narrow.matches && event.target instanceof Element && event.target.closest("a[href]:not([target])")) close(false);
  });
  document.body.append(element);
  panel = { element, chat: view };
};
// alone keeps the rest of the page out of reach while the panel covers it.
const alone = (on) => {
  for (const part of document.body.children) if (part !== panel.element && !part.matches("script")) part.inert = on;
  if (on) Object.assign(panel.element, { role: "dialog", ariaModal: "true" });
  else { panel.element.removeAttribute("role"); panel.element.removeAttribute("aria-modal"); }
};
const isOpen = () => Boolean(panel && !panel.element.hidden);
const show = () => {
  if (!panel) build();
  panel.element.hidden = false;
  root.dataset.asking = "open";
  button()?.setAttribute("aria-expanded", "true");
  keep(true);
  if (narrow.matches) alone(true);
  panel.chat.bottom();
};
const close = (back = true) => {
  if (!isOpen()) return;
  alone(false);
  panel.element.hidden = true;
  delete root.dataset.asking;
  button()?.setAttribute("aria-expanded", "false");
  keep(false);
  if (back) (opener?.isConnected ? opener : button())?.focus({ preventScroll: true });
};
narrow.addEventListener("change", () => { if (isOpen()) alone(narrow.matches); });

// settle puts the conversation into a page that is made for it.
const settle = () => {
  const place = find("[data-ask-page]");
  if (here && here.place !== place) { here.chat.end(); here = null; }
  if (!place || here) return;
  const view = chat(site, talk, phrase);
  view.element.dataset.flow = "";
  const fresh = make("button", { type: "button", className: "ask-plain", onclick: () => { talk.clear(); view.focus(); } }, phrase("New conversation"));
  place.append(make("div", { className: "ask-bar" }, fresh), view.element);
  here = { chat: view, place };
  close(false);
  drop(); // one place is enough
};
const open = ({ context = null, from = null } = {}) => {
  know();
  settle();
  if (!here && !isOpen()) { opener = from && from !== document.body ? from : button(); show(); }
  const view = (here || panel).chat;
  if (context) view.about(context);
  view.focus();
};

window.lecternAssistant = {
  open,
  toggle: (how) => { if (isOpen() && !here) close(); else open(how); },
  // linked opens it for an address that asks something: at once where a page of the site led here, else when the reader sends it. A page that
  // is loaded again does not ask again.
  linked(question, own) {
    open();
    const address = location.pathname + location.search;
    if (!question || talk.linked === address) return;
    talk.linked = address;
    if (own && !talk.busy) talk.ask(question);
    else (here || panel).chat.draft(question);
  },
  // resume goes on after a change of the document.
  resume() {
    know();
    settle();
    if (here || narrow.matches || isOpen()) return;
    try { if (sessionStorage.getItem(OPEN) === "1") show(); } catch { /* it was not open */ }
  },
};
document.addEventListener("lectern:page", () => {
  if (!button()) { close(false); return; }
  const was = isOpen();
  know();
  settle();
  if (was && !here) show(); // a page of another language has a panel of its own
  else button().setAttribute("aria-expanded", "false");
});
