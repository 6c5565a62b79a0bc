// Search, second part: converts a query to units. internal/build/searchindex/query.go is the same in Go: change both.
import { inflections } from "./inflect";
import { DENSE, GROUPED, HANGUL, JOINED, PART, WORD, classOf, common, tokens, weak } from "./token";

const QUESTION_MAX = 200, UNITS_MAX = 16, JOINED_MAX = 4;
const classOfTerm = (t: string) => classOf(t.codePointAt(0)!);

// A unit is a word of the query. ways are alternative lists of terms, the joined form first; all terms of a list must
// occur.
export interface Unit {
  ways: string[][];
  start: number;
  end: number;
  optional: boolean;
  weak: boolean; // it says little about the subject of the query
  dropped: boolean; // it is not looked up, because the query has too many words
  also: string[]; // its other forms, and compounds with a neighbour
  prefix: boolean; // it may be incomplete
  rarity: number;
  whole: boolean; // it is a term of the index
  cut: boolean; // its list in the index does not include all chunks
  weight: Int32Array; // by chunk
  forms: Set<string>; // terms of the index that it matches
  longer: Set<string>; // terms that begin with it, if it is a term itself
}
const unit = (ways: string[][], start: number, end = 0, optional = false): Unit => ({
  ways, start, end, optional, weak: false, dropped: false, also: [], prefix: false, rarity: 0, whole: false, cut: false, weight: new Int32Array(0), forms: new Set(), longer: new Set(),
});

// The part of a query that is read.
export const readPart = (text: string) => Array.from(text.slice(0, 2 * QUESTION_MAX)).slice(0, QUESTION_MAX).join("");

export const parse = (text: string) => {
  const out: Unit[] = [];
  tokens(readPart(text), (kind, term, start, end) => {
    switch (kind) {
      case PART:
        out.push(unit([[term]], start, end));
        break;
      case JOINED: {
        const parts: string[] = [];
        while (out.length && out[out.length - 1].start >= start) parts.unshift(out.pop()!.ways[0][0]);
        out.push(unit([[term], parts], start));
        break;
      }
      case GROUPED:
        out.push(unit([[term]], start, 0, true));
        break;
      default: {
        const u = out[out.length - 1];
        if (u && start < u.end && classOfTerm(term) === HANGUL) { // words that are too long have no unit
          if (u.ways.length === 1) u.ways.push([]);
          u.ways[1].push(term);
        }
      }
    }
  });
  const plain = (u: Unit) => u.ways.length === 1 && !u.optional && classOfTerm(u.ways[0][0]) === WORD;
  for (let i = 0; i + 1 < out.length && out.length <= JOINED_MAX; i++) {
    if (!plain(out[i]) || !plain(out[i + 1])) continue;
    const one = out[i].ways[0][0] + out[i + 1].ways[0][0];
    out[i].also.push(one);
    out[i + 1].also.push(one);
  }
  for (const u of out) if (plain(u)) u.also.push(...inflections(u.ways[0][0]));
  return tidy(out);
};

const tidy = (all: Unit[]) => {
  const seen = new Set<string>(), out: Unit[] = [];
  let telling = false, strong = 0, last = -1;
  for (const u of all) {
    const key = u.ways[0].join(" ");
    if (seen.has(key) || out.length >= UNITS_MAX) continue;
    seen.add(key);
    out.push(u);
    telling = telling || (!u.optional && !common(u.ways[0][0]));
    u.weak = weak(u.ways[0][0]);
    if (!u.optional && !u.weak && !common(u.ways[0][0])) strong++;
  }
  out.forEach((u, i) => {
    u.weak = u.weak && strong > 1; // in a short query, every word may matter
    if (!u.optional) last = i;
    if (classOfTerm(u.ways[0][0]) === DENSE && Array.from(u.ways[0][0]).length === 1) u.prefix = true;
  });
  if (last >= 0 && classOfTerm(out[last].ways[0][0]) !== DENSE) out[last].prefix = true;
  if (!telling) return out;
  return out.filter((u, i) => {
    if (!common(u.ways[0][0])) return true;
    u.optional = true;
    return i === last;
  });
};
