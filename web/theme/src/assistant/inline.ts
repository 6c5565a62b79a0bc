// Converts inline Markdown to nodes. Whatever an answer contains, only the elements created here can result from it: HTML stays text,
// images become their description, and a link is only created if `places` resolves its address.
//   inline := code | escape | image | citation | link | address | strong | emphasis | struck | text
import { make } from "../page/page";

// Places resolves links of an answer: link returns a URL or null, cite the mark of a source.
export interface Places {
  link: (address: string) => string | null;
  anchor: (href: string, label: Piece[]) => HTMLAnchorElement;
  cite: (n: number) => HTMLElement | null;
}
type Piece = Node | string;
// The parsed pieces and the end of their source; null if the text is something else.
type Read = [pieces: Piece | Piece[], end: number] | null;

const DEEPEST = 6;
const FARTHEST = 2000; // maximum characters between a mark and its end, to limit the time for searching
const PUNCTUATION = /[!-/:-@[-`{-~]/;

// close returns the index of the bracket that closes the one at `from`, or -1.
const close = (text: string, from: number, [open, shut]: string) => {
  for (let i = from, depth = 0; i < text.length && i < from + FARTHEST; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === open) depth++;
    else if (text[i] === shut && --depth === 0) return i;
  }
  return -1;
};
const code = (text: string, at: number): Read => {
  const ticks = /^`+/.exec(text.slice(at, at + 100))![0];
  for (let end = text.indexOf(ticks, at + ticks.length); end >= 0 && end < at + FARTHEST; end = text.indexOf(ticks, end)) {
    let run = ticks.length;
    while (text[end + run] === "`") run++;
    if (run !== ticks.length) { end += run; continue; }
    const inner = text.slice(at + ticks.length, end).replace(/\n/g, " ");
    return [make("code", {}, /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner), end + run];
  }
  return [ticks, at + ticks.length];
};
const citation = (text: string, at: number, places: Places): Read => {
  const found = /^\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()/.exec(text.slice(at, at + 60));
  if (!found) return null;
  const chips = found[1].split(",").map((n) => places.cite(Number(n))).filter((chip) => chip !== null);
  return [chips, at + found[0].length];
};
// reference parses [label](address "title"). It returns null for other text.
const reference = (text: string, at: number) => {
  const next = text.indexOf("](", at);
  const shut = next < 0 || next > at + FARTHEST ? -1 : close(text, at, "[]");
  if (shut < 0 || text[shut + 1] !== "(") return null;
  const end = close(text, shut + 1, "()");
  if (end < 0) return null;
  const address = text.slice(shut + 2, end).trim().replace(/\s+["'(][^]*$/, "").replace(/^<(.*)>$/, "$1");
  return { label: text.slice(at + 1, shut), address: address.replace(/\\([!-/:-@[-`{-~])/g, "$1"), end: end + 1 };
};
const link = (text: string, at: number, places: Places, depth: number): Read => {
  const found = reference(text, at);
  if (!found) return null;
  const label = run(found.label, places, depth + 1, true);
  const href = places.link(found.address);
  return [href ? places.anchor(href, label) : make("span", { className: "ask-text" }, ...label), found.end];
};
const image = (text: string, at: number): Read => {
  const found = reference(text, at + 1);
  return found && [make("span", { className: "ask-text" }, found.label || "image"), found.end];
};
const address = (text: string, at: number, places: Places): Read => {
  const found = /^<?(https?:\/\/[^\s<>"`]+)/i.exec(text.slice(at, at + 2000));
  if (!found) return null;
  const bare = found[0][0] !== "<";
  const written = bare ? found[1].replace(/[).,;:!?\]*_]+$/, "") : found[1];
  const href = places.link(written);
  const end = at + (bare ? written.length : found[0].length + (text[at + found[0].length] === ">" ? 1 : 0));
  return [href ? places.anchor(href, [written]) : written, end];
};
// marked parses text between two equal marks: **strong**, *emphasis*, ~~struck~~.
const marked = (text: string, at: number, places: Places, depth: number, linked: boolean): Read => {
  const [mark] = /^(?:\*\*|__|~~|\*|_)?/.exec(text.slice(at, at + 2))!;
  const word = (c: string | undefined) => c !== undefined && /[\p{L}\p{N}]/u.test(c);
  if (!mark || /^\s?$/.test(text[at + mark.length] || "") || mark[0] === "_" && word(text[at - 1])) return null;
  for (let end = text.indexOf(mark, at + mark.length + 1); end >= 0 && end < at + FARTHEST; end = text.indexOf(mark, end + 1)) {
    if (mark.length === 1 && text[end + 1] === mark) { end++; continue; } // the other mark
    if (text[end - 1] === " " || text[end - 1] === "\n" || text[end - 1] === "\\" || mark[0] === "_" && word(text[end + mark.length])) continue;
    const tag = mark === "~~" ? "s" : mark.length === 2 ? "strong" : "em";
    return [make(tag, {}, ...run(text.slice(at + mark.length, end), places, depth + 1, linked)), end + mark.length];
  }
  return null;
};

const step = (text: string, at: number, places: Places, depth: number, linked: boolean): Read => {
  const c = text[at];
  if (c === "\\" && text[at + 1] === "\n") return [make("br"), at + 2];
  if (c === "\\" && PUNCTUATION.test(text[at + 1] || "")) return [text[at + 1], at + 2];
  if (c === "`") return code(text, at);
  if (c === "!" && text[at + 1] === "[") return image(text, at);
  if (c === "[" && !linked) return citation(text, at, places) || link(text, at, places, depth);
  if ((c === "<" || c === "h" || c === "H") && !linked) return address(text, at, places);
  if (c === "*" || c === "_" || c === "~") return marked(text, at, places, depth, linked);
  if (c === " " && /^ {2,}\n/.test(text.slice(at, at + 20))) return [make("br"), text.indexOf("\n", at) + 1];
  return null;
};
// run returns nodes and strings. linked is true inside a link, which cannot contain another one.
const run = (text: string, places: Places, depth = 0, linked = false): Piece[] => {
  if (depth > DEEPEST) return [text];
  const out: Piece[] = [];
  let plain = "";
  const flush = () => { if (plain) out.push(plain); plain = ""; };
  for (let at = 0; at < text.length;) {
    const found = step(text, at, places, depth, linked);
    if (!found) { plain += text[at++]; continue; }
    flush();
    out.push(...[found[0]].flat());
    at = found[1];
  }
  flush();
  return out;
};
export const inline = run;
