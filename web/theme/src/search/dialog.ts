// The search dialog, opened by ⌘K, Ctrl+K, / or the button. The field keeps the focus; aria-activedescendant identifies the selected
// result.
import { all, announce, closest, drawing, find, make, named, onPage, root, still, word } from "../page/page";
import { say } from "../page/say";
import { answerTo, prepare } from "./ask";
import { question } from "./question";
import { recent } from "./recent";
import type { Hit } from "./rank";
import * as resultList from "./result";

const LIMIT = 30;
const MORE = 4; // additional shards of text to read for more results
const PAUSE = 180; // milliseconds without a key before searching, so that fast typing results in one search
const LONG_PAUSE = 600; // … after one or two letters, which are usually the start of a word
const button = () => find("[data-search]");
let dialog: HTMLDialogElement | null = null;
let field: HTMLInputElement, body: HTMLElement, list: HTMLElement, note: HTMLElement; // of the dialog
let spoken: string | undefined; // the translations that the dialog was created with
let asked = ""; // the newest query
let answered: string | null = null; // the query whose answer is complete; null if there is none
let running = false;
let pause: number | undefined; // timer for the pause before searching
let extra = 0; // additional shards of text requested after the first answer
let hasMore = false; // more texts would add results
let drawn = ""; // the query whose results are listed
let retry = false; // "Try again" was pressed while a search was running
let waits: boolean | null = null; // Enter was pressed before the answer arrived; true = open in a new tab
let hitCount = 0; // of the last answer
let told = ""; // the last announced query
let rest: number | undefined; // timer for announcing a search

// settled announces a finished search: after a pause, or when the reader opens a result or closes the dialog.
const settled = () => {
  clearTimeout(rest);
  if (!answered || answered === told || answered !== field.value.trim()) return; // an unfinished query is not a search
  told = answered;
  announce("search", { query: answered, hits: hitCount });
};
const opened = (option: HTMLElement) => {
  settled();
  const query = answered || field.value.trim();
  if (query) announce("click", { query, target: option.dataset.target }); // suggested pages have no query
};

const options = () => all<HTMLAnchorElement>('[role="option"]', list);
const chosen = () => find<HTMLAnchorElement>('[aria-selected="true"]', list);
const choose = (next: HTMLElement | null | undefined, scroll = true) => {
  chosen()?.setAttribute("aria-selected", "false");
  field.removeAttribute("aria-activedescendant");
  if (!next) return;
  next.setAttribute("aria-selected", "true");
  field.setAttribute("aria-activedescendant", next.id);
  if (scroll) next.scrollIntoView({ block: "nearest" });
  if (scroll && next === options()[0]) body.scrollTop = 0;
};

// fill shows results. If they are the same results with more details, it keeps the selection and the scroll position.
const fill = (parts: Node[], message: (Node | string)[], first = true, same = false) => {
  if (!same && message.length) drawn = "";
  const was = same ? chosen() : null, place = same ? body.scrollTop : 0;
  const at = was ? options().indexOf(was) : 0;
  list.replaceChildren(...parts);
  options().forEach((o, i) => { o.id = "search-option-" + i; o.setAttribute("aria-selected", "false"); });
  list.hidden = !parts.length;
  field.setAttribute("aria-expanded", String(Boolean(parts.length)));
  note.replaceChildren(...message);
  note.hidden = !message.length;
  const kept = at > 0 && was ? was.dataset.more !== undefined ? options()[at] : options().find((o) => o.href === was.href && o.className === was.className) : null;
  choose(kept || (first ? options()[0] : null), false);
  body.scrollTop = place;
};

// idle shows suggestions before the reader types: recent searches, otherwise the first pages of the navigation.
const idle = () => {
  const texts = recent.list();
  if (!texts.length) {
    const pages = resultList.pages(button()?.dataset.root);
    return fill(pages, pages.length ? [find(".sidebar")?.ariaLabel ?? ""] : [], false);
  }
  const clear = make("button", { type: "button", className: "search-clear", textContent: word("Clear"), onclick: () => { recent.clear(); idle(); field.focus(); } });
  fill(resultList.queries(texts), [make("span", {}, word("Recent searches")), clear], false);
};
const tryAgain = () => {
  field.focus();
  retry = running;
  ask();
};
const failed = () => {
  if (find(".search-retry", note)) return; // a button that is replaced while pressed gets no click
  const again = make("button", { type: "button", className: "search-clear search-retry", textContent: word("Try again"), onclick: tryAgain });
  fill([], [make("span", {}, word("The search could not be loaded.")), again]);
  say(word("The search could not be loaded."));
};
const answer = (hits: Hit[], text: string) => {
  const same = drawn === text;
  const last = question.row?.(text) ?? [];
  drawn = hits.length ? text : "";
  if (hits.length) {
    const more = hasMore ? [resultList.more(word("More pages"))] : [];
    fill([...resultList.groups(hits, text, button()?.dataset || {}), ...more, ...last], [], true, same);
    if (answered === text) say(word("Search") + ": " + hits.length); // not before the texts are loaded
    return;
  }
  const advice = make("span", { className: "search-advice" }, word("Check the spelling, or try other words."));
  fill(last, [make("span", {}, make("strong", {}, word("No results")), " · “" + text + "”", advice)], false);
  say(word("No results"));
};

// ask answers the newest query. One search runs at a time; if the reader types in the meantime, the new query is next, so outdated
// answers are never shown.
const ask = async () => {
  clearTimeout(pause);
  if (asked !== field.value.trim()) extra = 0;
  asked = field.value.trim();
  if (!asked) { answered = ""; waits = null; dialog?.removeAttribute("data-busy"); idle(); return; }
  if (running || answered === asked) return;
  running = true;
  const box = dialog!;
  const slow = setTimeout(() => {
    box.dataset.busy = "";
    if (!list.hidden || find(".search-retry", note)) return; // the button must not move away from the pointer
    note.hidden = false;
    note.replaceChildren(word("Searching…"));
  }, 150);
  let text = "";
  const stop = () => field.value.trim() !== text; // also when the page has changed, which clears the field
  const early = (hits: Hit[]) => {
    if (stop() || !hits.length || extra) return;
    hasMore = false;
    answer(hits, text);
  };
  try {
    do {
      text = asked;
      const data = button()?.dataset || {};
      const found = await answerTo(text, { limit: LIMIT, language: data.language, version: data.version, texts: extra, stop, early }, data);
      if (text !== asked || stop()) continue;
      answered = text;
      hitCount = found.hits.length;
      hasMore = found.more;
      clearTimeout(rest);
      rest = setTimeout(settled, 1200);
      answer(found.hits, text);
    } while (asked && text !== asked);
    if (waits !== null && answered === asked) pick(chosen(), waits);
  } catch (error) {
    console.warn(error);
    answered = null;
    if (asked) failed();
  } finally {
    clearTimeout(slow);
    box.removeAttribute("data-busy");
    running = false;
    waits = null;
  }
  if (!retry) return;
  retry = false;
  ask();
};

// typed searches when the reader pauses.
const typed = () => {
  clearTimeout(pause);
  const text = field.value.trim();
  if (text !== answered) answered = null;
  if (!text) ask();
  else pause = setTimeout(ask, /(^|\s)[a-z]{1,2}$/i.test(text) ? LONG_PAUSE : PAUSE);
};
// further reads more texts of the results: of pages whose texts were not read yet, and of more sections of the others.
const further = () => {
  if (!hasMore || running || answered !== asked) return;
  extra += MORE;
  hasMore = false;
  answered = null;
  ask();
};

// pick opens a result, asks the assistant, or searches for the query of an option.
const pick = (option: HTMLAnchorElement | null, tab?: boolean) => {
  if (!option) return;
  if (option.dataset.more !== undefined) return further();
  if (option.dataset.query !== undefined) { field.value = option.dataset.query; field.focus(); ask(); return; }
  recent.add(field.value);
  if (option.dataset.question !== undefined) {
    dialog?.close(); // close first: it restores the focus, which the assistant then takes
    return question.ask?.(option.dataset.question);
  }
  if (tab) { opened(option); window.open(option.href, "_blank", "noopener"); return; }
  option.click();
};
const keys = (event: KeyboardEvent) => {
  if (event.isComposing) return;
  const list = options();
  const at = list.indexOf(chosen()!);
  const step = (n: number) => choose(list[(n + list.length) % list.length]);
  if (event.key === "Enter") {
    if (running || answered !== field.value.trim()) { waits = event.ctrlKey || event.metaKey; ask(); }
    else pick(chosen(), event.ctrlKey || event.metaKey);
  } else if (event.key === "ArrowDown") {
    step(at + 1);
    if (list[at + 1]?.dataset.more !== undefined) further();
  }
  else if (event.key === "ArrowUp") step(at < 0 ? list.length - 1 : at - 1);
  else if ((event.key === "Home" || event.key === "End") && list.length && !event.shiftKey) step(event.key === "Home" ? 0 : list.length - 1);
  else return;
  event.preventDefault();
};

const build = (): HTMLDialogElement => {
  spoken = root.dataset.words;
  field = named("search-input", make("input", {
    type: "text", role: "combobox", placeholder: button()?.dataset.hint || word("Search…"), maxLength: 200,
    autocomplete: "off", autocapitalize: "off", spellcheck: false, enterKeyHint: "go", oninput: typed, onkeydown: keys,
    "aria-label": word("Search"), "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "search-list",
  }));
  list = make("div", { id: "search-list", role: "listbox", "aria-label": word("Search"), hidden: true });
  note = make("div", { className: "search-note" });
  const key = (text: string, ...names: string[]) => make("span", {}, ...names.map((n) => make("kbd", {}, n)), " " + text);
  const foot = make("div", { className: "search-foot", "aria-hidden": "true" }, key(word("Select"), "↑", "↓"), key(word("Open"), "↵"), key(word("Close"), "Esc"));
  const close = make("button", { type: "button", className: "search-close", textContent: word("Close"), onclick: (): void => own.close() });
  body = make("div", { className: "search-body" }, note, list);
  const own = dialog = make("dialog", { className: "search", "aria-label": word("Search") },
    make("div", { className: "search-head" }, drawing("M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.200 16.200 21 21", "search-icon"), field, close),
    body, foot);
  own.addEventListener("click", (event) => {
    if (event.target === own) return own.close(); // click outside of the dialog
    const option = closest<HTMLAnchorElement>(event, '[role="option"]');
    if (option && !option.href) return pick(option);
    if (option) opened(option);
    if (option && !event.metaKey && !event.ctrlKey && !event.shiftKey) { recent.add(field.value); own.close(); }
  });
  own.addEventListener("pointermove", (event) => { // not triggered when the list moves below a resting pointer
    const option = closest(event, '[role="option"]');
    if (option && option !== chosen()) choose(option, false);
  });
  own.addEventListener("mousedown", (event) => { if (!closest(event, "input, button")) event.preventDefault(); }); // the field keeps the focus
  body.addEventListener("scroll", () => { if (body.scrollTop > 0 && body.scrollTop + body.clientHeight > body.scrollHeight - 80) further(); }, { passive: true });
  own.addEventListener("close", settled);
  document.body.append(still(own, ".search-body"));
  return own;
};
const open = () => {
  const by = button();
  if (dialog?.open || !by || find("dialog[open]")) return;
  const own = dialog ?? build();
  prepare(by.dataset);
  own.showModal();
  field.focus();
  field.select();
  answered = null;
  ask();
};

const asks = (event: Event) => closest(event, "[data-search]");
addEventListener("click", (event) => { if (asks(event)) { event.preventDefault(); open(); } });
addEventListener("pointerover", (event) => { if (asks(event)) prepare(button()!.dataset); }, { passive: true });
addEventListener("focusin", (event) => { if (asks(event)) prepare(button()!.dataset); });
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || !button()) return;
  const typing = event.target instanceof HTMLElement && (event.target.isContentEditable || event.target.closest("input, textarea, select"));
  const k = event.key.toLowerCase() === "k" && (event.metaKey !== event.ctrlKey) && !event.shiftKey;
  if (k && dialog?.open) dialog.close();
  else if (k || event.key === "/" && !typing && !event.metaKey && !event.ctrlKey && !find("dialog[open]")) open();
  else return;
  event.preventDefault();
});
onPage(() => {
  for (const b of all("[data-search]")) {
    b.hidden = false;
    const hint = find("kbd", b);
    if (hint && !/Mac|iP/.test(navigator.platform)) hint.textContent = hint.textContent.replace("⌘", "Ctrl ");
  }
  if (!dialog) return;
  dialog.close();
  field.value = asked = "";
  answered = null;
  if (spoken === root.dataset.words) return;
  dialog.remove(); // the page is in another language
  dialog = null;
});
