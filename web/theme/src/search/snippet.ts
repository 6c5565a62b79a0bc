// Search, fifth part: extracts the text around a match. internal/build/searchindex/snippet.go is the same in Go: change
// both.
import type { Unit } from "./query";
import { tokens } from "./token";

interface Mark { start: number; end: number; unit: number }
// Piece is a part of a snippet, and whether it matches.
export type Piece = [text: string, isMatch: boolean];

const LENGTH = 180, BEFORE = 40;

const marks = (text: string, units: Unit[]) => {
  const out: Mark[] = [];
  tokens(text, (kind, term, start, end) => {
    const unit = units.findIndex((u) => u.forms.has(term));
    if (unit >= 0) out.push({ start, end, unit });
  });
  return out.sort((a, b) => a.start - b.start);
};

const isLow = (text: string, i: number) => i > 0 && i < text.length && (text.charCodeAt(i) & 0xfc00) === 0xdc00; // the second half of a surrogate pair
const start = (text: string, found: Mark[]) => {
  if (!found.length) return 0;
  let best = 0, most = -1;
  found.forEach((first, i) => {
    const seen = new Set();
    let score = 0;
    for (let k = i; k < found.length && found[k].end - first.start <= LENGTH - BEFORE; k++) {
      score++;
      if (!seen.has(found[k].unit)) {
        seen.add(found[k].unit);
        score += 100;
      }
    }
    if (score > most) {
      best = i;
      most = score;
    }
  });
  let from = found[best].start;
  for (let n = 0; from > 0 && n < BEFORE;) {
    if (text[from - 1] === "\n") return from;
    const wide = isLow(text, from - 1) ? 2 : 1;
    n += wide;
    from -= wide;
  }
  if (from === 0) return 0;
  const gap = text.slice(from, found[best].start).search(/[ \n]/);
  return gap >= 0 ? from + gap + 1 : from;
};

export const snippet = (text: string, code: string, units: Unit[]) => {
  let found = marks(text, units);
  if (!found.length && code) {
    const inCode = marks(code, units);
    if (inCode.length || !text) [text, found] = [code, inCode];
  }
  const from = start(text, found);
  let to = Math.min(from + LENGTH, text.length);
  if (isLow(text, to)) to++;
  if (to < text.length) {
    const cut = text.slice(from, to), gap = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"));
    if (gap > ((to - from) * 3) / 4) to = from + gap;
  }
  return pieces(text, found, from, to);
};

const pieces = (text: string, found: Mark[], from: number, to: number) => {
  const ranges: [number, number][] = [];
  for (const m of found) {
    const last = ranges[ranges.length - 1];
    if (m.start < from || m.end > to) continue;
    if (last && m.start < last[1]) last[1] = Math.max(last[1], m.end);
    else ranges.push([m.start, m.end]);
  }
  const out: Piece[] = [], plain = (a: number, b: number) => text.slice(a, b).replaceAll("\n", " ");
  let at = from;
  const add = (s: string, isMatch: boolean) => { if (s) out.push([s, isMatch]); };
  ranges.forEach(([a, b], i) => {
    add((i === 0 && from > 0 ? "… " : "") + plain(at, a), false);
    add(plain(a, b), true);
    at = b;
  });
  add((!ranges.length && from > 0 ? "… " : "") + plain(at, to) + (to < text.length ? " …" : ""), false);
  return out;
};
