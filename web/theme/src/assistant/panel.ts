// The assistant on the pages of its own site: a panel next to the page, or the content of a page with the mode "assistant". Both show
// the same conversation.
import { chat } from "./chat";
import type { Chat } from "./chat";
import { asksIndex } from "./passage";
import { asksServer } from "./server";
import type { Opening, Site } from "./site";
import { conversation } from "./talk";
import type { Conversation } from "./talk";
import { all, closest, drawing, find, make, named, root, word } from "../page/page";

const OPEN = "lectern-assistant-open";
const button = () => find("[data-assistant]");
const narrow = matchMedia("(max-width: 48rem)"); // the panel then covers the page
const site: Site = { root: "", api: "", language: "", version: "" }; // data of the current page, see know
let words: Record<string, string> = {}; // of the page's language
let spoken = ""; // the same as JSON, from the page
let talk: Conversation; // set by the first call of know
let panel: { element: HTMLElement; chat: Chat } | null = null;
let here: { place: HTMLElement; chat: Chat } | null = null; // the conversation inside the page
let opener: HTMLElement | null = null; // gets the focus when the panel closes

const phrase = (english: string) => Object.hasOwn(words, english) ? words[english] : english;
const know = () => {
  const data = button()?.dataset ?? {};
  const whole = (address?: string) => address === undefined ? "" : new URL(address || "./", document.baseURI).href;
  const spoke = spoken;
  words = {};
  try { words = JSON.parse(data.words || "{}"); } catch { /* English */ }
  spoken = data.words || "";
  Object.assign(site, {
    api: whole(data.api), engine: whole(data.engine), index: whole(data.index), root: whole(data.root), suffix: data.suffix, path: data.path,
    language: data.language || "", version: data.version || "",
  });
  talk ??= conversation("lectern-assistant:" + site.root, site.api ? asksServer(site) : asksIndex(site));
  if (spoke !== spoken) drop(); // the page is in another language
};
const drop = () => {
  if (!panel) return;
  alone(false);
  panel.chat.end();
  panel.element.remove();
  panel = null;
};
const keep = (open: boolean) => { try { sessionStorage.setItem(OPEN, open ? "1" : ""); } catch { /* not opened on the next page */ } };

const build = () => {
  const view = chat(site, talk, phrase);
  const icon = (path: string, label: string, press: () => unknown) => make("button", { type: "button", className: "ask-small", title: label, "aria-label": label, onclick: press }, drawing(path, "ask-icon"));
  const title = make("h2", { id: "ask-title" }, phrase(button()?.dataset.quotes === undefined ? "Assistant" : "Find an answer"));
  const element = named("chat-assistant-sheet", make("aside", { className: "ask-panel chat-assistant-sheet", "aria-labelledby": title.id, hidden: true },
    make("header", { className: "ask-head chat-assistant-sheet-header" }, title,
      icon("M12 5v14M5 12h14", phrase("New conversation"), () => { talk.clear(); view.focus(); }),
      icon("M6 6l12 12M18 6L6 18", word("Close"), () => close())),
    view.element));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  });
  element.addEventListener("click", (event) => { // narrow windows show either the page or the panel
    if (narrow.matches && closest(event, "a[href]:not([target])")) close(false);
  });
  document.body.append(element);
  return panel = { element, chat: view };
};
// alone makes the rest of the page inert while the panel covers it.
const alone = (on: boolean) => {
  if (!panel) return;
  for (const part of all(":scope > :not(script)", document.body)) if (part !== panel.element) part.inert = on;
  if (on) Object.assign(panel.element, { role: "dialog", ariaModal: "true" });
  else { panel.element.removeAttribute("role"); panel.element.removeAttribute("aria-modal"); }
};
const isOpen = () => Boolean(panel && !panel.element.hidden);
const show = () => {
  const shown = panel ?? build();
  shown.element.hidden = false;
  root.dataset.asking = "open";
  button()?.setAttribute("aria-expanded", "true");
  keep(true);
  if (narrow.matches) alone(true);
  shown.chat.bottom();
};
const close = (back = true) => {
  if (!panel || !isOpen()) return;
  alone(false);
  panel.element.hidden = true;
  delete root.dataset.asking;
  button()?.setAttribute("aria-expanded", "false");
  keep(false);
  if (back) (opener?.isConnected ? opener : button())?.focus({ preventScroll: true });
};
narrow.addEventListener("change", () => { if (isOpen()) alone(narrow.matches); });

// settle inserts the conversation into a page with the mode "assistant".
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
  drop(); // show it in one place only
};
const open = ({ context = null, from = null }: Opening = {}) => {
  know();
  settle();
  if (!here && !isOpen()) { opener = from && from !== document.body ? from : button(); show(); }
  const view = (here || panel)?.chat;
  if (context) view?.about(context);
  view?.focus();
};

window.lecternAssistant = {
  open,
  toggle: (how) => { if (isOpen() && !here) close(); else open(how); },
  // ask sends a question immediately, except while an answer is being streamed.
  ask(question, from) {
    open({ from });
    if (talk.busy) (here || panel)?.chat.draft(question);
    else talk.ask(question);
  },
  // linked opens the assistant for a URL with a question. It sends the question if the reader followed a link on the site; otherwise the
  // reader must send it. Reloading the page does not repeat the question.
  linked(question, own) {
    open();
    const address = location.pathname + location.search;
    if (!question || talk.linked === address) return;
    talk.linked = address;
    if (own && !talk.busy) talk.ask(question);
    else (here || panel)?.chat.draft(question);
  },
  // resume restores the panel in a new document.
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
  if (was && !here) show(); // a page in another language has a new panel
  else button()?.setAttribute("aria-expanded", "false");
});
