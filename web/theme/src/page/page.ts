// Functions that the theme's modules share. onPage runs a module's work for the current page, and again for each page that replaces it
// (see visit.ts). An error in one module does not affect the others.
export const root = document.documentElement;
export const find = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document) => within.querySelector<E>(selector);
export const all = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document) => [...within.querySelectorAll<E>(selector)];
export const onPage = (work: () => void) => {
  const run = () => { try { work(); } catch (error) { setTimeout(() => { throw error; }); } };
  run();
  document.addEventListener("lectern:page", run);
};

// closest returns the nearest element around the target of an event that matches.
export const closest = <E extends Element = HTMLElement>(event: Event, selector: string): E | null =>
  event.target instanceof Element ? event.target.closest<E>(selector) : null;

// word translates an English text to the page's language. For languages other than English, the table is on <html>.
let table: { from: string | undefined; words: Record<string, string> } | null = null;
export const word = (english: string): string => {
  if (!table || table.from !== root.dataset.words) {
    table = { from: root.dataset.words, words: {} };
    try { table.words = JSON.parse(table.from ?? "") || {}; } catch { /* English */ }
  }
  return Object.hasOwn(table.words, english) ? table.words[english] : english;
};

type Props<E> = Partial<Omit<E, "dataset">> & { dataset?: Record<string, string | undefined>; [aria: `aria-${string}`]: string | null };

// make creates an element with properties, data-* attributes (dataset), attributes for which there is no property, and
// children.
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  const { dataset, ...rest } = props;
  for (const [name, value] of Object.entries(rest)) {
    if (name in element) Reflect.set(element, name, value); // ignores read-only properties
    else element.setAttribute(name, String(value));
  }
  Object.assign(element.dataset, dataset);
  element.append(...children);
  return element;
};

// named gives an element the id that authors' rules use for it, unless the page's text has that id.
export const named = <E extends HTMLElement>(id: string, element: E): E => {
  if (!document.getElementById(id)) element.id = id;
  return element;
};

// drawing creates an icon from a stroked path.
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

// recall and remember load and store values in the browser. If storage is blocked, they are kept only on this page.
export const recall = (key: string): unknown => { try { return JSON.parse(localStorage.getItem(key) ?? "null"); } catch { return null; } };
export const remember = (key: string, value: unknown) => { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* as said */ } };

// still prevents scrolling of the page behind a dialog. Hiding the scroll bar instead would shift the page sideways.
export const still = <E extends HTMLElement>(dialog: E, scrolls?: string): E => {
  const hold = (event: Event) => {
    const part = scrolls && closest(event, scrolls);
    if (!part || part.scrollHeight <= part.clientHeight) event.preventDefault();
  };
  for (const type of ["wheel", "touchmove"]) dialog.addEventListener(type, hold, { passive: false });
  return dialog;
};

// announce dispatches an analytics event. On a site without analytics, nothing listens to it.
export const announce = (kind: string, detail?: object) => document.dispatchEvent(new CustomEvent("lectern:count", { detail: { ...detail, kind } }));
