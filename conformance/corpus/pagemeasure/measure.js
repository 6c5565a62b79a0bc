// Runs in a page of an exported site. Returns the selectors of the author's style sheets with whether each meets an element, and how many
// of the texts that can be seen have a contrast below the limit.
(limit) => {
  const STATES = /::[\w-]+(\([^)]*\))?|:(hover|focus|active|visited|focus-visible|focus-within|checked|disabled|target|link|open|placeholder-shown)\b/g;
  const selectors = {};
  const split = (text) => {
    const out = [];
    let depth = 0, start = 0;
    for (let i = 0; i <= text.length; i++) {
      const c = text[i];
      if (c === "(" || c === "[") depth++;
      else if (c === ")" || c === "]") depth--;
      else if (i === text.length || c === "," && depth === 0) { out.push(text.slice(start, i)); start = i + 1; }
    }
    return out;
  };
  const read = (rules) => {
    for (const rule of rules) {
      if (rule instanceof CSSKeyframesRule) continue;
      if (rule.styleSheet) read(rule.styleSheet.cssRules);
      else if (rule.selectorText !== undefined && !rule.selectorText.includes("&")) {
        for (const one of split(rule.selectorText)) {
          const plain = one.replace(STATES, "").trim().replace(/[\s>+~]+$/, "");
          if (!plain || /^(\*|html|body|:root)$/.test(plain)) continue;
          try { selectors[plain] = document.querySelector(plain) !== null; } catch { /* removing a state left no selector */ }
        }
      }
      if (rule.cssRules) read(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) if (sheet.href && !sheet.href.includes("/_lectern/")) read(sheet.cssRules);

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const known = new Map();
  const parse = (colour) => { if (!known.has(colour)) known.set(colour, rgba(colour)); return known.get(colour); };
  const linear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  // ground is the colour behind an element; null where it is a picture, which is not judged.
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.backgroundImage !== "none") return null;
      const colour = parse(style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), parse("Canvas"));
  };
  let texts = 0, unreadable = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || e.closest("script, style, noscript, template, svg, dialog:not([open])")) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect(), ink = parse(getComputedStyle(e).color);
    if (box.width < 2 || box.height < 2 || ink[3] < 0.1) continue;
    const paper = ground(e);
    if (!paper) continue;
    const a = luminance(over(ink, paper)), b = luminance(paper);
    texts++;
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < limit) unreadable++;
  }
  return { selectors, texts, unreadable };
}
