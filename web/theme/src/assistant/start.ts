// @ts-nocheck
// The way to the assistant: shows its buttons and loads it when a reader first wants it. Ctrl+I or ⌘I opens and closes it, ?assistant= in an
// address opens it with a question, and text that is selected can be asked about. Nothing is sent that the reader did not send, or a link of
// the site's own pages.
import { all, drawing, find, make, onPage, root } from "../page/page";
import { say } from "../page/say";

const OPEN = "lectern-assistant-open"; // in the session: it was open on the page before
const LONGEST = 4000; // characters of a selection
const button = () => find("[data-assistant]");
let loading = null; // promise of the assistant

const arrival = (element) => new Promise((resolve, reject) => {
  element.onload = resolve;
  element.onerror = () => reject(new Error("could not load " + (element.src || element.href)));
  document.head.append(element);
});
const load = () => loading ??= (async () => {
  const [src, href] = [button().dataset.script, button().dataset.style].map((a) => new URL(a, document.baseURI).href);
  await Promise.all([arrival(make("link", { rel: "stylesheet", href })), arrival(make("script", { src, async: true }))]);
  return window.lecternAssistant;
})().catch((error) => { loading = null; throw error; });
const using = (work) => {
  const from = document.activeElement;
  load().then((assistant) => work(assistant, from)).catch((error) => { console.warn(error); say("The assistant could not be loaded."); });
};

// selected is the text that the reader has marked in the page, as context of a question; null when there is none.
const selected = () => {
  const choice = getSelection();
  const value = choice && !choice.isCollapsed && choice.rangeCount ? choice.toString().trim().slice(0, LONGEST) : "";
  const node = value && choice.getRangeAt(0).commonAncestorContainer;
  const element = node && (node instanceof Element ? node : node.parentElement);
  if (value.length < 3 || !element?.closest("article.content") || element.closest("[data-ask-page]")) return null;
  return { type: element.closest("pre, figure.code") ? "code" : "textSelection", value, path: button().dataset.path };
};

const about = make("button", { type: "button", className: "ask-about", hidden: true }, drawing("M12 3.5l1.9 5.1 5.1 1.9-5.1 1.9-1.9 5.1-1.9-5.1-5.1-1.9 5.1-1.9z", "line-icon"), make("span"));
about.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
about.addEventListener("click", () => {
  const context = selected();
  about.hidden = true;
  using((assistant, from) => assistant.open({ context, from }));
});
const phrase = (english) => {
  let words = {};
  try { words = JSON.parse(button().dataset.words || "{}"); } catch { /* English */ }
  return Object.hasOwn(words, english) ? words[english] : english;
};
const place = () => {
  const context = button() && selected();
  about.hidden = !context;
  if (!context) return;
  const box = getSelection().getRangeAt(0).getBoundingClientRect();
  about.lastChild.textContent = phrase("Ask about this");
  if (!about.isConnected) document.body.append(about);
  const left = Math.min(Math.max(box.left + box.width / 2 - about.offsetWidth / 2, 8), root.clientWidth - about.offsetWidth - 8);
  about.style.left = left + scrollX + "px";
  about.style.top = Math.max(box.top, 0) + scrollY - about.offsetHeight - 8 + "px";
};
let timer;
let held = false; // a pointer is still marking
const soon = () => { clearTimeout(timer); timer = setTimeout(() => { if (!held) place(); }, 150); };
addEventListener("pointerdown", (event) => { held = !about.contains(event.target); }, { passive: true });
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => { held = false; soon(); }, { passive: true });
document.addEventListener("selectionchange", soon);

const asks = (event) => event.target instanceof Element && event.target.closest("[data-ask]");
addEventListener("click", (event) => {
  const by = asks(event);
  if (!by || !button()) return;
  const menu = by.closest("details");
  if (menu) menu.open = false;
  using((assistant) => by === button() ? assistant.toggle({ from: by }) : assistant.open({ from: menu ? find("summary", menu) : by }));
});
addEventListener("pointerover", (event) => { if (asks(event) && button()) load().catch(() => {}); }, { passive: true });
addEventListener("keydown", (event) => {
  const wanted = event.key.toLowerCase() === "i" && event.metaKey !== event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!wanted || event.defaultPrevented || !button() || event.target instanceof Element && event.target.isContentEditable) return;
  event.preventDefault();
  const context = selected();
  using((assistant, from) => context ? assistant.open({ context, from }) : assistant.toggle({ from }));
});

let own = document.referrer.startsWith(location.origin + "/"); // a page of the site led here
const wasOpen = () => { try { return sessionStorage.getItem(OPEN) === "1"; } catch { return false; } };
onPage(() => {
  about.hidden = true;
  for (const b of all("[data-ask]")) b.hidden = false;
  if (!button()) return;
  button().title = phrase("Ask AI") + (/Mac|iP/.test(navigator.platform) ? " (⌘I)" : " (Ctrl+I)");
  const question = new URLSearchParams(location.search).get("assistant");
  const led = own;
  own = true; // changes of the page come from its own links
  if (question !== null) using((assistant) => assistant.linked(question.trim().slice(0, LONGEST), led));
  else if (find("[data-ask-page]") || wasOpen()) using((assistant) => assistant.resume());
});
