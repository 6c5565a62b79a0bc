// The diagram script writes style elements and style attributes. The pages' content security policy forbids both in parsed HTML,
// but allows scripts to use style objects. During drawing, this module converts the former to the latter.
const SVG = "http://www.w3.org/2000/svg";
const TAG = /<[a-zA-Z][^\s/>]*(?:\s+[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s*\/?>/g;
const ATTRIBUTE = /(\s)([^\s"'>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))/g;
const able = "adoptedStyleSheets" in document && "replaceSync" in CSSStyleSheet.prototype;

// unstyled renames the style attributes in HTML; styled applies them to the elements.
const unstyled = (html: string) => String(html).replace(TAG, (tag) => tag.replace(ATTRIBUTE, (all, space, name, value) => name.toLowerCase() === "style" ? space + "data-css" + value : all));
const styled = (element: Element) => {
  for (const one of element.querySelectorAll<HTMLElement | SVGElement>("[data-css]")) {
    one.style.cssText = one.dataset.css ?? "";
    one.removeAttribute("data-css");
  }
};

export const drop = (sheets: CSSStyleSheet[]) => { if (able) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => !sheets.includes(s)); };

// standIn returns a replacement for a style element: text written to it becomes a style sheet of the document.
const standIn = (sheets: CSSStyleSheet[]) => {
  const element = document.createElementNS(SVG, "metadata");
  const write = (css: string) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(String(css));
    sheets.push(sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  };
  for (const name of ["innerHTML", "textContent"]) Object.defineProperty(element, name, { get: () => "", set: write });
  return element;
};

// draw runs work with these changes of the document's methods, and returns its result and the style sheets it created.
// Calls must not overlap.
export const draw = async <T>(work: () => Promise<T>): Promise<{ made: T; sheets: CSSStyleSheet[] }> => {
  const sheets: CSSStyleSheet[] = [];
  const inner = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
  if (!able || !inner?.set) return { made: await work(), sheets };
  const write = inner.set;
  const { setAttribute } = Element.prototype;
  const { createElement, createElementNS } = Document.prototype;
  const { parseFromString } = DOMParser.prototype;
  const isStyle = (name: string) => String(name).toLowerCase() === "style";
  Element.prototype.setAttribute = function (name, value) {
    if (isStyle(name) && "style" in this) (this.style as CSSStyleDeclaration).cssText = value;
    else setAttribute.call(this, name, value);
  };
  Object.defineProperty(Element.prototype, "innerHTML", { ...inner, set(html) {
    write.call(this, unstyled(html));
    styled(this);
  } });
  // The replacement is not a style element, which the types of these methods cannot express.
  Object.assign(Document.prototype, {
    createElement(this: Document, name: string, ...rest: ElementCreationOptions[]) { return isStyle(name) ? standIn(sheets) : createElement.call(this, name, ...rest); },
    createElementNS(this: Document, space: string | null, name: string, ...rest: []) { return isStyle(name) ? standIn(sheets) : createElementNS.call(this, space, name, ...rest); },
  });
  DOMParser.prototype.parseFromString = function (text, type) { return parseFromString.call(this, unstyled(text), type); };
  try {
    return { made: await work(), sheets };
  } catch (error) {
    drop(sheets);
    throw error;
  } finally {
    Element.prototype.setAttribute = setAttribute;
    Object.defineProperty(Element.prototype, "innerHTML", inner);
    Object.assign(Document.prototype, { createElement, createElementNS });
    DOMParser.prototype.parseFromString = parseFromString;
  }
};

// put inserts a finished drawing.
export const put = (element: Element, html: string) => {
  element.innerHTML = able ? unstyled(html) : html;
  styled(element);
};
