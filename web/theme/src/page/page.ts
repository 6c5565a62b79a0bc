// What modules of the theme share. onPage runs a module's work for the page that is shown, and again for each page that takes its place
// (see visit.ts). What fails in one module does not keep the others from working.
export const root = document.documentElement;
export const find = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document) => within.querySelector<E>(selector);
export const all = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document) => [...within.querySelectorAll<E>(selector)];
export const onPage = (work: () => void) => {
  const run = () => { try { work(); } catch (error) { setTimeout(() => { throw error; }); } };
  run();
  document.addEventListener("lectern:page", run);
};

// closest is the element that matches around the target of an event.
export const closest = <E extends Element = HTMLElement>(event: Event, selector: string): E | null =>
  event.target instanceof Element ? event.target.closest<E>(selector) : null;

// word is what the page's language says for an English word; the table of a language other than English stands on <html>.
let table: { from: string | undefined; words: Record<string, string> } | null = null;
export const word = (english: string): string => {
  if (!table || table.from !== root.dataset.words) {
    table = { from: root.dataset.words, words: {} };
    try { table.words = JSON.parse(table.from ?? "") || {}; } catch { /* English */ }
  }
  return Object.hasOwn(table.words, english) ? table.words[english] : english;
};

type Props<E> = Partial<Omit<E, "dataset">> & { dataset?: Record<string, string | undefined>; [aria: `aria-${string}`]: string | null };

// make builds an element: properties, data-* as dataset, attributes where the element has no such property, children.
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  const { dataset, ...rest } = props;
  for (const [name, value] of Object.entries(rest)) {
    if (name in element) Reflect.set(element, name, value); // one that cannot be set is left
    else element.setAttribute(name, String(value));
  }
  Object.assign(element.dataset, dataset);
  element.append(...children);
  return element;
};

// named gives an element an id that rules of authors have for it, unless the page's text has that id.
export const named = <E extends HTMLElement>(id: string, element: E): E => {
  if (!document.getElementById(id)) element.id = id;
  return element;
};

// drawing is an icon of strokes.
export const drawing = (path: string, className = "") => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
};

// recall and remember keep lists and words in the browser; where it has no storage for us, the choice lasts for this page.
export const recall = (key: string): unknown => { try { return JSON.parse(localStorage.getItem(key) ?? "null"); } catch { return null; } };
export const remember = (key: string, value: unknown) => { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* as said */ } };

// still keeps the page behind a dialog where it is. Taking its scroll bar away would move everything sideways.
export const still = <E extends HTMLElement>(dialog: E, scrolls?: string): E => {
  const hold = (event: Event) => {
    const part = scrolls && closest(event, scrolls);
    if (!part || part.scrollHeight <= part.clientHeight) event.preventDefault();
  };
  for (const type of ["wheel", "touchmove"]) dialog.addEventListener(type, hold, { passive: false });
  return dialog;
};

// announce tells whoever counts what a reader did; a site that counts nothing has nobody who listens.
export const announce = (kind: string, detail?: object) => document.dispatchEvent(new CustomEvent("lectern:count", { detail: { ...detail, kind } }));
