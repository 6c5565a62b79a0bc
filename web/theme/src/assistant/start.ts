// Shows the assistant's buttons, and loads the assistant when a reader first opens it. Ctrl+I or ⌘I opens and closes it, ?assistant= in a
// URL opens it with a question, and readers can ask about selected text. A question is only sent by the reader, or by a link on a page of
// the site.
import { all, closest, drawing, find, make, named, onPage, root } from "../page/page";
import { say } from "../page/say";
import { question } from "../search/question";
import { option } from "../search/result";
import type { Assistant, Context } from "./site";

const OPEN = "lectern-assistant-open"; // in session storage: it was open on the previous page
const LONGEST = 4000; // characters of a selection
const SIGN = "M12 3.5l1.9 5.1 5.1 1.9-5.1 1.9-1.9 5.1-1.9-5.1-5.1-1.9 5.1-1.9z";
const button = () => find("[data-assistant]");
let loading: Promise<Assistant> | null = null;

const arrival = (element: HTMLScriptElement | HTMLLinkElement) => new Promise<Event>((resolve, reject) => {
  element.onload = resolve;
  element.onerror = () => reject(new Error("could not load " + ("src" in element ? element.src : element.href)));
  document.head.append(element);
});
const load = () => loading ??= (async () => {
  const { script, style } = button()?.dataset ?? {};
  const [src, href] = [script, style].map((a) => new URL(a ?? "", document.baseURI).href);
  await Promise.all([arrival(make("link", { rel: "stylesheet", href })), arrival(make("script", { src, async: true }))]);
  return window.lecternAssistant!;
})().catch((error) => { loading = null; throw error; });
const using = (work: (assistant: Assistant, from: HTMLElement | null) => void) => {
  const from = document.activeElement as HTMLElement | null;
  load().then((assistant) => work(assistant, from)).catch((error) => { console.warn(error); say("The assistant could not be loaded."); });
};

// selected returns the reader's selection in the page as context for a question, or null.
const selected = (): Context | null => {
  const choice = getSelection();
  const value = choice && !choice.isCollapsed && choice.rangeCount ? choice.toString().trim().slice(0, LONGEST) : "";
  const node = value && choice ? choice.getRangeAt(0).commonAncestorContainer : null;
  const element = node instanceof Element ? node : node?.parentElement;
  if (value.length < 3 || !element?.closest("article.content") || element.closest("[data-ask-page]")) return null;
  return { type: element.closest("pre, figure.code") ? "code" : "textSelection", value, path: button()?.dataset.path };
};

const aboutName = make("span");
const about = named("text-selection-tooltip-button", make("button", { type: "button", className: "ask-about", hidden: true }, drawing(SIGN, "line-icon"), aboutName));
about.addEventListener("pointerdown", (event) => event.preventDefault()); // keep the selection
about.addEventListener("click", () => {
  const context = selected();
  about.hidden = true;
  using((assistant: Assistant, from: HTMLElement | null) => assistant.open({ context, from }));
});
const phrase = (english: string) => {
  let words: Record<string, string> = {};
  try { words = JSON.parse(button()?.dataset.words || "{}"); } catch { /* English */ }
  return Object.hasOwn(words, english) ? words[english] : english;
};
const place = () => {
  const context = button() && selected();
  about.hidden = !context;
  const choice = getSelection();
  if (!context || !choice) return;
  const box = choice.getRangeAt(0).getBoundingClientRect();
  aboutName.textContent = phrase("Ask about this");
  if (!about.isConnected) document.body.append(about);
  const left = Math.min(Math.max(box.left + box.width / 2 - about.offsetWidth / 2, 8), root.clientWidth - about.offsetWidth - 8);
  about.style.left = left + scrollX + "px";
  about.style.top = Math.max(box.top, 0) + scrollY - about.offsetHeight - 8 + "px";
};
let timer: number | undefined;
let held = false; // the reader is still selecting
const soon = () => { clearTimeout(timer); timer = setTimeout(() => { if (!held) place(); }, 150); };
addEventListener("pointerdown", (event) => { held = !about.contains(event.target as Node); }, { passive: true });
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => { held = false; soon(); }, { passive: true });
document.addEventListener("selectionchange", soon);

const asks = (event: Event) => closest(event, "[data-ask]");
addEventListener("click", (event) => {
  const by = asks(event);
  if (!by || !button()) return;
  const menu = by.closest("details");
  if (menu) menu.open = false;
  using((assistant: Assistant) => by === button() ? assistant.toggle({ from: by }) : assistant.open({ from: menu ? find<HTMLElement>("summary", menu) : by }));
});
addEventListener("pointerover", (event) => { if (asks(event) && button()) load().catch(() => {}); }, { passive: true });
addEventListener("keydown", (event) => {
  const wanted = event.key.toLowerCase() === "i" && event.metaKey !== event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!wanted || event.defaultPrevented || !button() || event.target instanceof HTMLElement && event.target.isContentEditable) return;
  event.preventDefault();
  const context = selected();
  using((assistant: Assistant, from: HTMLElement | null) => context ? assistant.open({ context, from }) : assistant.toggle({ from }));
});

// The last row of a search. Like the button, it is labelled differently without a language model, because then answers are only
// quotes.
question.row = (text) => {
  const by = button();
  if (!by) return [];
  const quotes = by.dataset.quotes !== undefined;
  const title = make("span", { className: "search-title" }, phrase(quotes ? "Find an answer" : "Ask the assistant") + ": ", make("bdi", {}, text));
  const what = quotes ? [make("span", { className: "search-crumbs" }, phrase("Passages from these docs, without a language model."))] : [];
  return [option({ className: "search-query search-ask", dataset: { question: text } }, SIGN, title, ...what)];
};
question.ask = (text) => using((assistant, from) => assistant.ask(text, from));

let own = document.referrer.startsWith(location.origin + "/"); // the reader followed a link on the site
const wasOpen = () => { try { return sessionStorage.getItem(OPEN) === "1"; } catch { return false; } };
onPage(() => {
  about.hidden = true;
  for (const b of all("[data-ask]")) b.hidden = false;
  const by = button();
  if (!by) return;
  by.title = phrase(by.dataset.quotes === undefined ? "Ask AI" : "Find an answer") + (/Mac|iP/.test(navigator.platform) ? " (⌘I)" : " (Ctrl+I)");
  const question = new URLSearchParams(location.search).get("assistant");
  const led = own;
  own = true; // from now on, pages change through links on the site
  if (question !== null) using((assistant: Assistant) => assistant.linked(question.trim().slice(0, LONGEST), led));
  else if (find("[data-ask-page]") || wasOpen()) using((assistant: Assistant) => assistant.resume());
});
