// Draws the diagrams of a page when they come into view. The diagram script is large: its URL is in data-mermaid-src,
// and it is loaded when the first diagram comes near.
import * as sketch from "./drawing";
import { all, find, onPage, root } from "../page/page";

type Mermaid = NonNullable<typeof window.mermaid>;

const LEAST = 0.5; // a drawing may shrink to this share of its size to fit the reserved height
const drawn = new Map<HTMLElement, HTMLElement | null>(); // figure → its drawing; null while it is pending
const styles = new Map<HTMLElement, CSSStyleSheet[]>(); // figure → the style sheets of its drawing
let count = 0;
let loading: Promise<Mermaid> | null = null;
let queue: Promise<unknown> = Promise.resolve();

const load = () => loading ??= new Promise<Mermaid>((resolve, reject) => {
  const script = document.createElement("script");
  script.src = find("[data-mermaid-src]")?.dataset.mermaidSrc ?? "";
  script.onload = () => resolve(window.mermaid!);
  script.onerror = () => { loading = null; reject(new Error("The script that draws diagrams could not be loaded.")); };
  document.head.append(script);
});

// The diagram uses the page's colours; a directive in its source may set others.
const look = (figure: HTMLElement) => {
  const style = getComputedStyle(figure);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const dark = root.dataset.scheme === "dark";
  const config = { startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, layout: "dagre", look: "classic", fontFamily: style.fontFamily, theme: dark ? "dark" : "default" };
  const hex = /^#[0-9a-f]{6}$/i;
  const [paper, soft, ink, faint, line] = ["--paper", "--paper-soft", "--ink", "--ink-soft", "--line-strong"].map(token);
  if (![paper, soft, ink, faint, line].every((c) => hex.test(c))) return config;
  const accent = hex.test(token("--accent")) ? token("--accent") : ink;
  const mix = (a: string, b: string, share: number) => "#" + [1, 3, 5].map((i) => Math.round(parseInt(a.slice(i, i + 2), 16) * share + parseInt(b.slice(i, i + 2), 16) * (1 - share)).toString(16).padStart(2, "0")).join("");
  const fill = mix(accent, paper, dark ? 0.22 : 0.1);
  // Parts that differ only in colour: slices, branches, sections.
  const scale: Record<string, string> = {};
  [accent, "#2f9e77", "#d98324", "#b5538f", "#3a8fb7", "#8a6fc9", "#c2544c", "#7d9a3c"].forEach((hue, i) => {
    scale["pie" + (i + 1)] = mix(hue, paper, dark ? 0.55 : 0.45);
    scale["git" + i] = mix(hue, paper, 0.8);
    scale["gitBranchLabel" + i] = "#ffffff";
    scale["cScale" + i] = mix(hue, paper, dark ? 0.4 : 0.25);
    scale["cScaleLabel" + i] = ink;
    scale["cScalePeer" + i] = mix(hue, paper, 0.6);
    scale["cScaleInv" + i] = mix(hue, paper, 0.8);
  });
  return { ...config, theme: "base", themeVariables: {
    darkMode: dark, background: paper, fontFamily: style.fontFamily, fontSize: "14px",
    primaryColor: fill, primaryBorderColor: mix(accent, paper, 0.55), primaryTextColor: ink,
    secondaryColor: mix(ink, paper, 0.08), secondaryBorderColor: line, secondaryTextColor: ink,
    tertiaryColor: soft, tertiaryBorderColor: line, tertiaryTextColor: ink,
    lineColor: faint, textColor: ink, titleColor: ink, edgeLabelBackground: paper, clusterBkg: soft, clusterBorder: line,
    noteBkgColor: mix("#e8b339", paper, dark ? 0.22 : 0.18), noteBorderColor: mix("#e8b339", paper, 0.6), noteTextColor: ink,
    actorBkg: fill, actorBorder: mix(accent, paper, 0.55), actorTextColor: ink, actorLineColor: line, signalColor: faint, signalTextColor: ink,
    labelBoxBkgColor: soft, labelBoxBorderColor: line, labelTextColor: ink, loopTextColor: ink, activationBkgColor: mix(ink, paper, 0.14), activationBorderColor: line,
    sequenceNumberColor: paper, errorBkgColor: soft, errorTextColor: ink,
    pieStrokeColor: paper, pieOuterStrokeColor: line, pieOpacity: "1", pieSectionTextColor: ink, pieLegendTextColor: ink, pieTitleTextColor: ink,
    ...scale,
  } };
};

const rgb = (color: string) => { const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(color); return m && Number(m[4] ?? 1) > 0.5 ? m.slice(1, 4).map(Number) : null; };
const light = (c: number[]) => c.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

// A source may fill boxes with colours for one scheme only. Their text becomes dark or light as needed.
const readable = (image: Element) => {
  for (const box of all<SVGElement>("g.node, g.cluster", image)) {
    const shape = box.querySelector("[style*=fill]");
    const back = shape && rgb(getComputedStyle(shape).fill);
    if (!back) continue;
    for (const label of all<HTMLElement | SVGElement>("text, tspan, foreignObject span, foreignObject p, foreignObject div", box)) {
      const inSVG = label instanceof SVGElement;
      const ink = rgb(getComputedStyle(label)[inSVG ? "fill" : "color"]);
      if (!ink || contrast(light(ink), light(back)) >= 3) continue;
      label.style.setProperty(inSVG ? "fill" : "color", light(back) > 0.18 ? "#16181d" : "#ffffff", "important");
    }
  }
};

const forget = (figure: HTMLElement) => {
  sketch.drop(styles.get(figure) ?? []);
  styles.delete(figure);
};

const draw = async (figure: HTMLElement) => {
  if (!figure.isConnected) return; // the reader has left the page
  const pre = find("pre", figure);
  if (!pre) return;
  try {
    const mermaid = await load();
    mermaid.initialize(look(figure));
    const { made, sheets } = await sketch.draw(() => mermaid.render("mermaid-" + ++count, pre.textContent));
    forget(figure);
    styles.set(figure, sheets);
    show(figure, pre, made.svg);
  } catch (error) {
    fail(figure, error);
  }
};

const part = (figure: HTMLElement, className: string) => {
  const found = find("." + className, figure);
  if (found) return found;
  const made = document.createElement("div");
  made.className = className;
  made.dataset.platform = "";
  figure.append(made);
  return made;
};

const show = (figure: HTMLElement, pre: HTMLElement, svg: string) => {
  figure.querySelector(".mermaid-error")?.remove();
  const place = figure.getBoundingClientRect();
  const frame = part(figure, "mermaid-drawing");
  sketch.put(frame, svg); // sanitized by the diagram script, which removes scripts and handlers
  const image = frame.firstElementChild as SVGSVGElement;
  readable(image);
  if (frame.scrollWidth > frame.clientWidth + 1) frame.tabIndex = 0;
  // The source stays for screen readers.
  pre.id ||= image.id + "-source";
  pre.removeAttribute("tabindex");
  frame.setAttribute("role", image.querySelector("a") ? "group" : "img");
  frame.setAttribute("aria-label", image.querySelector("title")?.textContent || "Diagram");
  frame.setAttribute("aria-describedby", pre.id);
  const first = figure.dataset.state !== "drawn";
  figure.dataset.state = "drawn";
  drawn.set(figure, frame);
  zoom(figure, frame, image); // its buttons may need additional space
  if (first) keepHeight(figure, image, place);
};

// Visible content must not move: if the figure is in view, the drawing gets the height that the source reserved.
// Otherwise it gets its own height.
const keepHeight = (figure: HTMLElement, image: SVGSVGElement, place: DOMRect) => {
  if (place.bottom < 0 || place.top > innerHeight) return;
  const own = figure.getBoundingClientRect().height;
  const drawing = image.getBoundingClientRect().height;
  const room = drawing - (own - place.height);
  figure.style.minHeight = place.height + "px";
  if (own > place.height && room >= drawing * LEAST) image.style.maxHeight = image.dataset.most = room + "px";
};

const fail = (figure: HTMLElement, error: unknown) => {
  figure.querySelector(".mermaid-drawing")?.remove();
  figure.querySelector(".mermaid-zoom")?.remove();
  figure.dataset.state = "failed";
  part(figure, "mermaid-error").textContent = String(error instanceof Error && error.message || error);
};

// Buttons to zoom a drawing; the figure scrolls.
const zoom = (figure: HTMLElement, drawing: HTMLElement, image: SVGSVGElement) => {
  const wanted = figure.dataset.actions;
  if (wanted === "false" || wanted !== "true" && image.getBoundingClientRect().height < 120) return;
  const width = image.getBoundingClientRect().width;
  if (!width) return;
  const most = image.style.maxWidth;
  let scale = Number(figure.dataset.zoom) || 1;
  const apply = () => {
    figure.dataset.zoom = String(scale);
    image.style.maxWidth = scale === 1 ? most : "none";
    image.style.maxHeight = scale === 1 ? image.dataset.most ?? "" : "none";
    image.style.width = scale === 1 ? "" : width * scale + "px";
  };
  const bar = part(figure, "mermaid-zoom");
  bar.dataset.componentName = "mermaid-controls-wrapper";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Zoom");
  const steps: [text: string, label: string, next: () => number][] = [
    ["−", "Zoom out", () => Math.max(0.5, scale / 1.25)], ["+", "Zoom in", () => Math.min(5, scale * 1.25)], ["1:1", "1:1, original size", () => 1],
  ];
  bar.replaceChildren(...steps.map(([text, label, next]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = label;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => { scale = next(); apply(); });
    return button;
  }));
  drawing.tabIndex = 0; // it may scroll
  if (scale !== 1) apply();
};

const later = (figure: HTMLElement) => { queue = queue.then(() => draw(figure)); };
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    const figure = entry.target as HTMLElement;
    watcher.unobserve(figure);
    drawn.set(figure, null);
    later(figure);
  }
}, { rootMargin: "400px" });
onPage(() => {
  for (const figure of drawn.keys()) if (!figure.isConnected) { drawn.delete(figure); forget(figure); }
  if (!find("[data-mermaid-src]")) return;
  for (const figure of all("figure.mermaid:not([data-state])")) watcher.observe(figure);
});

let scheme = root.dataset.scheme;
new MutationObserver(() => {
  if (root.dataset.scheme === scheme || root.dataset.paper) return; // do not redraw it for printing
  scheme = root.dataset.scheme;
  for (const figure of drawn.keys()) later(figure);
}).observe(root, { attributes: true, attributeFilter: ["data-scheme"] });
