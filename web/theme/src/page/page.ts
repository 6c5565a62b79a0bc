// @ts-nocheck
// All scripts of the theme share one function. onPage runs a script's work for the page that is shown, and again for each page that takes
// its place (see visit.js). What fails in one script does not keep the others from working.
export const root = document.documentElement;
export const find = (selector, within = document) => within.querySelector(selector);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const onPage = (work) => {
  const run = () => { try { work(); } catch (error) { setTimeout(() => { throw error; }); } };
  run();
  document.addEventListener("lectern:page", run);
};

// word is what the page's language says for an English word; the table of a language other than English stands on <html>.
let table = null;
export const word = (english) => {
  if (!table || table.from !== root.dataset.words) {
    table = { from: root.dataset.words, words: {} };
    try { table.words = JSON.parse(table.from) || {}; } catch { /* English */ }
  }
  return Object.hasOwn(table.words, english) ? table.words[english] : english;
};

// make builds an element: properties, data-* as dataset, attributes where the element has no such property, children.
export const make = (tag, { dataset, ...props } = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  Object.assign(element.dataset, dataset);
  element.append(...children);
  return element;
};

// drawing is an icon of strokes.
export const drawing = (path, className = "") => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  svg.firstChild.setAttribute("d", path);
  return svg;
};

// recall and remember keep lists and words in the browser; where it has no storage for us, the choice lasts for this page.
export const recall = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
export const remember = (key, value) => { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* as said */ } };

// still keeps the page behind a dialog where it is. Taking its scroll bar away would move everything sideways.
export const still = (dialog, scrolls) => {
  const hold = (event) => {
    const part = scrolls && event.target.closest(scrolls);
    if (!part || part.scrollHeight <= part.clientHeight) event.preventDefault();
  };
  for (const type of ["wheel", "touchmove"]) dialog.addEventListener(type, hold, { passive: false });
  return dialog;
};

// announce tells whoever counts what a reader did; a site that counts nothing has nobody who listens.
export const announce = (kind, detail) => document.dispatchEvent(new CustomEvent("lectern:count", { detail: { ...detail, kind } }));
