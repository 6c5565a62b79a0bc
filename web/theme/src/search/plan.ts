// Search: which files a query reads. internal/build/searchindex/plan.go is the same in Go and explains it: change both.
import { lastPart, partOf } from "./match";
import type { PageText, Terms, Words } from "./match";
import { phrasesOf, unquoted } from "./phrase";
import type { Phrase } from "./phrase";
import { readPart } from "./query";
import type { Unit } from "./query";
import { plainName } from "./same";
import type { Index } from "./unpack";

// Budget limits the files that a query reads in addition to the entry: planned shards of terms, then including those for
// corrections, then including texts.
interface Budget { planned: number; terms: number; files: number }
const FEW: Budget = { planned: 3, terms: 4, files: 4 }, ALL: Budget = { planned: Infinity, terms: Infinity, files: Infinity };
const SHARDS_BEGUN = 3;

// Reading is a query with the shards of terms that it may read.
export interface Reading {
  x: Index;
  parts: Map<number, Terms | null>; // null until loaded
  budget: Budget;
  read: number; // number of shards of terms, plus the list of words
  words: Words | null;
  plain: string; // the query for comparison with names
  phrases: Phrase[];
}

const letters = (u: Unit) => Array.from(u.ways[0][0]).length;
const first = (x: Index, u: Unit) => partOf(x, u.ways[0][0]);

// Returns the words to look up, the most significant first: weak ones last, rare before common (as far as the entry shows), then long
// before short.
const byWorth = (x: Index, units: Unit[]) => {
  let out = units.filter((u) => !u.optional);
  if (!out.length) out = [...units];
  const last = out[out.length - 1];
  if (out.length > 1 && last.prefix && /^[a-z]$/.test(last.ways[0][0])) out.pop(); // too short to look up
  const worth = (u: Unit) => u.weak ? -1 : x.often.get(u.ways[0][0]) ?? x.often.size;
  return out.sort((a, b) => worth(b) - worth(a) || letters(b) - letters(a));
};

// Returns the shards that a word needs, and smaller sets that suffice.
const wanted = (x: Index, u: Unit) => {
  const term = u.ways[0][0], from = partOf(x, term);
  if (from < 0) return [];
  const to = lastPart(x, term, from);
  if (!u.prefix || to === from) return [[from]];
  if (to === from + 1) return [[from, to], [from]];
  const out = [from]; // a short prefix: use the most common words only
  for (const w of x.often.keys()) {
    if (!w.startsWith(term) || out.length >= SHARDS_BEGUN) continue;
    const i = partOf(x, w);
    if (!out.includes(i)) out.push(i);
  }
  return [out, out.slice(0, 2), [from]];
};

const add = (r: Reading, parts: number[]) => {
  const fresh = new Set(parts.filter((i) => i >= 0 && !r.parts.has(i)));
  if (r.parts.size + fresh.size > r.budget.planned) return false;
  for (const i of fresh) r.parts.set(i, null);
  r.read = r.parts.size;
  return true;
};

// plan selects the shards, and marks the words that are not looked up.
export const plan = (x: Index, text: string, units: Unit[], whole = false): Reading => {
  const r: Reading = { x, budget: whole ? ALL : FEW, parts: new Map(), read: 0, words: null, plain: plainName(unquoted(text)), phrases: [] };
  const order = byWorth(x, units);
  for (const u of order) wanted(x, u).some((parts) => add(r, parts));
  for (const u of order) {
    for (const way of u.ways.slice(1)) {
      if (r.parts.has(first(x, u))) add(r, way.map((term) => partOf(x, term)));
    }
  }
  for (const u of units) {
    if (r.parts.has(first(x, u))) continue;
    u.dropped = true;
    u.optional = u.optional || u.prefix;
    for (const term of u.ways.flat()) u.forms.add(term);
  }
  r.phrases = phrasesOf(readPart(text), units);
  return r;
};

// nameOf returns the name of a page from the entry or the loaded shards.
export const nameOf = (r: Reading, page: number): PageText | undefined => {
  if (r.x.names.length) return r.x.names[page];
  for (const part of r.parts.values()) {
    const name = part?.names.get(page);
    if (name) return name;
  }
  return undefined;
};
