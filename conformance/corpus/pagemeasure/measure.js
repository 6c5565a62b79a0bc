// Runs in an open page and returns the value that pagemeasure.Page describes. Lengths are in CSS pixels.
(limit) => {
  const STATES = /::[\w-]+(\([^)]*\))?|:(hover|focus-visible|focus-within|focus|active|visited|checked|disabled|target|link|open|placeholder-shown)(?![\w-])/g;
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
      if (rule.styleSheet) readSheet(rule.styleSheet);
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
  // Style sheets of other hosts cannot be read and are not the author's.
  const readSheet = (sheet) => { try { read(sheet.cssRules); } catch (e) { if (e.name !== "SecurityError") throw e; } };
  for (const sheet of document.styleSheets) if (sheet.href && !sheet.href.includes("/_lectern/")) readSheet(sheet);

  // Intermediate colours of transitions are not what readers see. Scroll-driven animations are left unchanged.
  for (const a of document.getAnimations()) if (a.timeline instanceof DocumentTimeline) { try { a.finish(); } catch { /* endless */ } }
  const styles = new Map(), boxes = new Map();
  const kept = (map, make) => (e) => { if (!map.has(e)) map.set(e, make(e)); return map.get(e); };
  const styleOf = kept(styles, (e) => getComputedStyle(e));
  const boxOf = kept(boxes, (e) => e.getBoundingClientRect());
  const name = (e) => e.localName + (e.id ? "#" + e.id : "") + [...e.classList].slice(0, 3).map((c) => "." + c).join("");
  const path = (e) => {
    const out = [name(e)];
    for (let p = e.parentElement; p && p !== document.body && out.length < 3 && !out[0].includes("#"); p = p.parentElement) out.unshift(name(p));
    return out.join(" > ");
  };

  // Colours: red, green, blue from 0 to 255 and alpha from 0 to 1.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const parse = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const linear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const ratio = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  const COLOUR = /(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)/g;
  // layers are what an element paints behind its content, from below: a colour, then a gradient as the list of its colours. null where it
  // paints a picture, or a gradient of another size than its own, which are not judged.
  const layers = kept(new Map(), (e) => {
    const { backgroundColor, backgroundImage, backgroundSize, backgroundClip } = styleOf(e), out = [];
    if (parse(backgroundColor)[3] > 0) out.push([parse(backgroundColor)]);
    if (backgroundImage === "none" || backgroundClip === "text") return out;
    if (backgroundImage.includes("url(") || backgroundSize !== "auto") return null;
    if (e === document.documentElement || e === document.body) return out; // a text overlaps only a part of it
    return [...out, (backgroundImage.match(COLOUR) ?? []).slice(0, 4).map(parse)];
  });
  // The canvas has the background of the root element or, if that has none, of the body; fixed layers with a negative z-index are next.
  const root = document.documentElement, owner = layers(root) === null || layers(root).length > 0 ? root : document.body;
  const behind = [...document.querySelectorAll("body *")].filter((e) => styleOf(e).position === "fixed" && Number(styleOf(e).zIndex) < 0);
  // The colour of an empty page depends on its scheme, which only an element of the page knows.
  const probe = root.appendChild(document.createElement("i"));
  probe.style.backgroundColor = "Canvas";
  const empty = parse(getComputedStyle(probe).backgroundColor);
  probe.remove();
  // grounds are the colours that can be behind the content of an element; null if one cannot be known.
  const grounds = kept(new Map(), (element) => {
    const found = [];
    const opaque = (e) => {
      const own = layers(e);
      if (own === null) throw null;
      found.unshift(...own);
      return own.some((l) => l.length > 0 && l.every((c) => c[3] === 1));
    };
    const all = () => {
      for (let e = element; e; e = e.parentElement) if (e !== owner && opaque(e)) return;
      if ([...behind].reverse().some(opaque)) return;
      opaque(owner);
    };
    try { all(); } catch { return null; }
    return found.filter((l) => l.length > 0).reduce((below, l) => l.flatMap((c) => below.map((b) => over(c, b))).slice(0, 16), [empty]);
  });

  // crop says how a text is lost on its way out of its element's boxes: {by, box}, undefined if it is not, null if nobody sees it.
  const crop = (element, text) => {
    let { left, right, top, bottom } = text, fixed = false, skip = false;
    for (let e = element; e && e !== document.body; e = e.parentElement) {
      const style = styleOf(e), box = boxOf(e), clips = /hidden|clip/;
      if (fixed) break;
      if (skip && style.position === "static" && style.transform === "none") continue;
      skip = style.position === "absolute";
      fixed = style.position === "fixed";
      if (/^(inline|contents)$/.test(style.display) || /^table-(row|column)|^table$/.test(style.display)) continue;
      if (box.width <= 2 || box.height <= 2 && clips.test(style.overflowY)) return null;
      if (right <= box.left || left >= box.right) { if (style.overflowX !== "visible") return null; }
      const aside = Math.max(right - box.right, box.left - left), beyond = Math.max(bottom - box.bottom, box.top - top);
      const short = style.textOverflow === "ellipsis" && !/flex|grid/.test(style.display) || style.webkitLineClamp !== "none";
      if (clips.test(style.overflowX) && aside > 1 && !short) return { by: aside, box: path(e), how: "cropped" };
      if (clips.test(style.overflowY) && !short && beyond > text.height / 3) return { by: beyond, box: path(e), how: "cropped" };
      if (style.overflowX === "visible" && aside > 1) {
        const painted = parse(style.backgroundColor)[3] > 0 || parseFloat(style.borderLeftWidth) > 0 && parseFloat(style.borderRightWidth) > 0;
        if (painted) return { by: aside, box: path(e), how: "beside" };
      }
      if (style.overflowX !== "visible") { left = Math.max(left, box.left); right = Math.min(right, box.right); }
      if (style.overflowY !== "visible") { top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom); }
    }
    return undefined;
  };
  const faded = kept(new Map(), (e) => (e.parentElement ? faded(e.parentElement) : 1) * Number(styleOf(e).opacity));

  let texts = 0;
  const faint = [], lost = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement, words = walker.currentNode.data.trim().replace(/\s+/g, " ").slice(0, 40);
    if (!words || e.closest("script, style, noscript, template, svg, math, .katex, dialog:not([open])")) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const lines = [...range.getClientRects()].filter((r) => r.width >= 2 && r.height >= 2), ink = parse(styleOf(e).color);
    if (lines.length === 0 || ink[3] < 0.1) continue;
    const ends = lines.map((line) => crop(e, line));
    if (ends.every((end) => end === null)) continue;
    const worst = ends.filter(Boolean).sort((a, b) => b.by - a.by)[0];
    if (worst) lost.push({ element: path(e), text: words, by: worst.by, box: worst.box, how: worst.how });
    const papers = grounds(e);
    if (!papers || e.closest(":disabled, [aria-disabled=true]")) continue;
    texts++;
    const least = Math.min(...papers.map((paper) => ratio(over([...ink.slice(0, 3), ink[3] * faded(e)], paper), paper)));
    if (least < limit) faint.push({ element: path(e), text: words, ratio: least });
  }

  // What reaches beyond the window, without the boxes around it, and without what a box of its own scrolls or hides.
  const overflow = document.scrollingElement.scrollWidth - root.clientWidth, wide = [];
  const inside = (e) => { for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) if (styleOf(p).overflowX !== "visible") return true; return false; };
  const far = (e) => Math.max(boxOf(e).right - root.clientWidth, -boxOf(e).left);
  if (overflow > 0) {
    for (const e of document.body.querySelectorAll("*")) {
      if (far(e) > 1 && boxOf(e).width > 0 && ![...e.children].some((c) => far(c) > 1) && !inside(e) && styleOf(e).position !== "fixed") wide.push(path(e));
    }
  }
  return { selectors, texts, faint, lost, overflow, wide: wide.slice(0, 3) };
}
