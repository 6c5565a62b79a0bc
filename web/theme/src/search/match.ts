// Search, third part: converts units to weights of chunks. internal/build/searchindex/match.go is the same in Go:
// change both. Generator functions request shards: `yield [names]` returns them in that order, from memory if they are
// loaded.
import type { Reading } from "./plan";
import type { Unit } from "./query";
import { WORD, classOf } from "./token";
import type { Index } from "./unpack";

// The content of the shards of an index: terms with their lists, words for corrections, texts. Terms also has the names
// of pages with a term in their title, and by term the marks of further pages (same.ts).
export interface Terms { terms: string[]; data: string[]; names: Map<number, PageText>; marks: Map<string, string> }
export interface TermFile { t: string; p?: [page: number, ...meta: PageText][]; m?: string[] }
export type Words = { text: string; rank: number }[];
export type PageText = [path: string, title: string, crumbs: string[], name?: string, sidebar?: string];
export type ChunkText = [anchor: string, heading: string, body: string, code: string, about?: string]; // description and keywords, one per line
export interface Texts { p: PageText[]; c: ChunkText[] }
export type Shard = Terms | Words | Texts;

// Steps is a computation that requests shards by name.
export type Steps<R> = Generator<string[], R, Shard[]>;

// Candidate is a term that a word may refer to, with its list.
interface Named { term: string; factor: number }
interface Candidate extends Named { data: string }

const EXACTLY = 16, BEGUN = 12, BEGUN_BESIDE = 7, APART = 12, APART_BESIDE = 7, NEARLY = 9, REMOTELY = 6, COMPLETIONS = 10, CORRECTIONS = 5, TWO_SLIPS = 8, HEADING_LEVEL = 17;
const LEVELS = [0, 7, 15, 24, 34, 45, 57, 71, 86, 103, 122, 143, 166, 192, 221, 253, 289, 328, 372, 421, 476, 537, 604, 680, 763, 856, 960, 1075, 1203, 1346, 1505, 1681];

export const DIGITS = new Int8Array(128).fill(-1);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].forEach((c, i) => { DIGITS[c.charCodeAt(0)] = i; });
export class Numbers {
  at = 0;
  constructor(private text: string) {}
  more() { return this.at < this.text.length; }
  next() {
    let n = 0;
    for (let shift = 0; shift <= 25; shift += 5) {
      const v = this.at < this.text.length ? DIGITS[this.text.charCodeAt(this.at++) & 127] : -1;
      if (v < 0) throw new Error("The search index is damaged.");
      n |= (v & 31) << shift;
      if (v < 32) return n;
    }
    throw new Error("The search index is damaged.");
  }
}

// Parsers of shards.
const grown = (last: string, head: string) => {
  const d = new Numbers(head);
  const n = d.next();
  return last.slice(0, n) + head.slice(d.at);
};
export const readTerms = ({ t, p = [], m = [] }: TermFile): Terms => {
  const terms: string[] = [], data: string[] = [];
  let last = "";
  for (const record of t.split(",")) {
    if (!record) continue;
    const i = record.indexOf(" ");
    last = grown(last, record.slice(0, i));
    terms.push(last);
    data.push(record.slice(i + 1));
  }
  const marks = new Map<string, string>();
  for (let i = 0; i + 1 < m.length; i += 2) marks.set(m[i], m[i + 1]);
  return { terms, data, names: new Map(p.map(([page, ...meta]) => [page, meta])), marks };
};
export const readWords = (text: string): Words => {
  const out: Words = [];
  let last = "";
  for (let at = 0; at < text.length;) {
    const i = text.indexOf(" ", at);
    last = grown(last, text.slice(at, i));
    out.push({ text: last, rank: DIGITS[text.charCodeAt(i + 1)] });
    at = i + 2;
  }
  return out;
};

// Returns the first index in a sorted list whose key is not less than the one sought.
export const lower = <T extends string | number>(list: readonly T[], sought: T) => lowerBy(list, sought, (v) => v);
const lowerBy = <V, T extends string | number>(list: readonly V[], sought: T, key: (v: V) => T) => {
  let a = 0, b = list.length;
  while (a < b) {
    const m = (a + b) >> 1;
    if (key(list[m]) < sought) a = m + 1;
    else b = m;
  }
  return a;
};
// Returns the index of the part that contains a chunk or a shard. starts holds the first one of each part, and the end.
export const holder = (starts: number[], sought: number) => {
  let i = lower(starts, sought);
  if (starts[i] !== sought) i--;
  while (i + 1 < starts.length && starts[i + 1] <= sought) i++;
  return i;
};
export const partOf = (x: Index, term: string) => {
  const i = lower(x.first, term);
  return i < x.first.length && x.first[i] === term ? i : i - 1;
};
export const lastPart = (x: Index, prefix: string, from: number) => {
  let to = from;
  while (to + 1 < x.first.length && x.first[to + 1].startsWith(prefix)) to++;
  return to;
};

// Loads all missing shards of the plan at once.
function* load(r: Reading): Steps<void> {
  const missing = [...r.parts].filter(([, part]) => !part).map(([i]) => i);
  if (!missing.length) return;
  const shards = yield missing.map((i) => "t" + i);
  missing.forEach((i, at) => r.parts.set(i, shards[at] as Terms));
}

// Returns the encoded list of a term, if the query reads its shard.
const lookup = (r: Reading, term: string) => {
  const part = r.parts.get(partOf(r.x, term));
  if (!part) return undefined;
  const at = lower(part.terms, term);
  return part.terms[at] === term ? part.data[at] : undefined;
};

const size = (data: string) => {
  const d = new Numbers(data);
  d.next();
  d.next();
  return d.next() + 1;
};

const complete = (r: Reading, prefix: string, known: boolean): Candidate[] => {
  const factor = known ? BEGUN_BESIDE : BEGUN;
  const from = partOf(r.x, prefix);
  if (from < 0) return [];
  const all: (Candidate & { n: number })[] = [];
  for (let i = from, to = lastPart(r.x, prefix, from); i <= to; i++) {
    const part = r.parts.get(i);
    if (!part) continue;
    for (let at = lower(part.terms, prefix); at < part.terms.length && part.terms[at].startsWith(prefix); at++) {
      if (part.terms[at] !== prefix) all.push({ term: part.terms[at], factor, data: part.data[at], n: size(part.data[at]) });
    }
  }
  return all.sort((a, b) => b.n - a.n).slice(0, COMPLETIONS);
};

// Returns the list of words, unless the query has reached its limit of files.
function* spellings(r: Reading): Steps<Words> {
  if (r.words || r.read >= r.budget.terms) return r.words || [];
  r.read++;
  [r.words] = (yield ["words"]) as [Words];
  return r.words;
}

// Returns candidates with their lists. It requests their shards at once, up to the limit.
function* chosen(r: Reading, all: Named[]): Steps<Candidate[]> {
  for (const c of all) {
    const i = partOf(r.x, c.term);
    if (r.parts.has(i) || r.read >= r.budget.terms) continue;
    r.parts.set(i, null);
    r.read++;
  }
  yield* load(r);
  return all.flatMap((c) => {
    const data = lookup(r, c.term);
    return data === undefined ? [] : [{ ...c, data }];
  });
}

function* correct(r: Reading, term: string, prefix: boolean): Steps<Candidate[]> {
  const letters = Array.from(term);
  if (letters.length < 4 || letters.length > 24 || classOf(term.codePointAt(0)!) !== WORD) return [];
  let near = nearest(beside(r, term), letters, prefix);
  if (!near.length || near[0].key >= TWO_SLIPS) {
    const more = nearest(yield* spellings(r), letters, prefix);
    if (more.length) near = more;
  }
  return yield* chosen(r, near.map((o) => ({ term: o.text, factor: o.key >= TWO_SLIPS ? REMOTELY : NEARLY })));
}
// Returns the words that are closest to a mistyped one; among equally close ones, the most common first.
const nearest = (words: Words, letters: string[], prefix: boolean) => {
  const most = letters.length >= 8 ? 2 : 1, all: { text: string; rank: number; key: number }[] = [];
  for (const w of words) {
    const key = compare(w.text, letters, most, prefix);
    if (key >= 0) all.push({ ...w, key });
  }
  all.sort((a, b) => a.key - b.key || b.rank - a.rank);
  return all.slice(0, CORRECTIONS).filter((o) => o.key <= all[0].key + 2);
};
// Returns the words of the shard in which a term would be, in the form of the list of words.
const beside = (r: Reading, term: string): Words => {
  const part = r.parts.get(partOf(r.x, term)), out: Words = [];
  part?.terms.forEach((text, i) => {
    if (!spelled(text)) return;
    const data = part.data[i], n = Math.min(size(data), data.length);
    let heading = false;
    for (let at = data.length - n; at < data.length && !heading; at++) heading = DIGITS[data.charCodeAt(at) & 127] >= HEADING_LEVEL;
    if (n > 1 || heading) out.push({ text, rank: Math.min(32 - Math.clz32(heading ? 8 * n : n), 31) });
  });
  return out;
};
// Reports whether a word consists of letters and has a plausible length for a mistyped word. Scripts without spaces need no
// exception, because their terms are too short to be close to others.
const spelled = (text: string) => /^['a-z\u0080-\u{10ffff}]{3,24}$/u.test(text);

// Returns the sort key of a correction, or -1 if it is none: see compare in Go.
const compare = (text: string, t: string[], most: number, prefix: boolean) => {
  if (text.length < t.length - most || (!prefix && text.length > 2 * (t.length + most))) return -1;
  if (text[0] !== t[0] && text[1] !== t[0] && text[0] !== t[1] && text[1] !== t[1] && text.charCodeAt(0) < 0x80) return -1;
  const w = Array.from(text);
  if (w.length < t.length - most || (w.length > t.length + most && !prefix)) return -1;
  if (w[0] !== t[0] && w[1] !== t[0] && w[0] !== t[1] && w[1] !== t[1]) return -1;
  let [whole, begun] = distance(w, t, most, prefix);
  let key = 4 * whole;
  if (prefix && begun < whole) {
    key = 4 * begun + 2;
    whole = begun;
  }
  if (w[0] !== t[0]) key++;
  return whole <= most ? key : -1;
};
const distance = (word: string[], t: string[], most: number, prefix: boolean): [whole: number, begun: number] => {
  const w = prefix && word.length > t.length + most ? word.slice(0, t.length + most) : word;
  let two: number[] = [], one: number[] = [], row: number[] = [], begun = t.length;
  for (let j = 0; j <= t.length; j++) one[j] = j;
  for (let i = 1; i <= w.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= t.length; j++) {
      let d = Math.min(one[j] + 1, row[j - 1] + 1, one[j - 1] + (w[i - 1] === t[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && w[i - 1] === t[j - 2] && w[i - 2] === t[j - 1]) d = Math.min(d, two[j - 2] + 1);
      row[j] = d;
      least = Math.min(least, d);
    }
    begun = Math.min(begun, row[t.length]);
    if (least > most) return [most + 1, begun];
    [two, one, row] = [one, row, two];
  }
  return [w.length < word.length ? most + 1 : one[t.length], begun];
};

const weigh = (weight: Int32Array, c: Candidate) => {
  const d = new Numbers(c.data);
  const rarity = d.next(), cut = d.next() === 1, n = d.next() + 1;
  const tail = c.data.length - n;
  for (let i = 0, at = -1; i < n; i++) {
    at += d.next() + 1;
    const w = LEVELS[DIGITS[c.data.charCodeAt(tail + i)]] * c.factor;
    if (w > weight[at]) weight[at] = w;
  }
  return { rarity, cut };
};

function* oneTerm(r: Reading, u: Unit, term: string): Steps<void> {
  const data = lookup(r, term);
  const known = data !== undefined;
  u.whole = known;
  let found: Candidate[] = known ? [{ term, factor: EXACTLY, data }] : [];
  if (u.prefix || (!known && u.ways.length === 1)) found = found.concat(complete(r, term, known));
  for (const one of u.also) {
    const joined = lookup(r, one);
    if (joined !== undefined) found.push({ term: one, factor: BEGUN, data: joined });
  }
  if (!found.length && !u.optional) found = yield* correct(r, term, u.prefix);
  found.forEach((c, i) => {
    const { rarity, cut } = weigh(u.weight, c);
    u.forms.add(c.term);
    if (c.factor === BEGUN_BESIDE) u.longer.add(c.term);
    else u.longer.delete(c.term);
    if (!u.rarity || (found[0].factor !== EXACTLY && rarity < u.rarity)) u.rarity = rarity;
    u.cut = u.cut || (cut && i === 0);
  });
}

// Skips a way if not all of its shards are loaded.
const allTerms = (r: Reading, u: Unit, way: string[]) => {
  if (way.some((term) => !r.parts.has(partOf(r.x, term)))) return;
  let sum: Int32Array | null = null, rarest = 0;
  for (let i = 0; i < way.length; i++) {
    const own = new Int32Array(r.x.chunks);
    const data = lookup(r, way[i]);
    const lists: Candidate[] = data === undefined ? [] : [{ term: way[i], factor: EXACTLY, data }];
    if (u.prefix && i === way.length - 1) lists.push(...complete(r, way[i], data !== undefined));
    for (const c of lists) {
      rarest = Math.max(rarest, weigh(own, c).rarity);
      u.forms.add(c.term);
    }
    u.forms.add(way[i]);
    if (!sum) sum = own;
    else for (let c = 0; c < sum.length; c++) sum[c] = Math.min(sum[c], own[c]);
  }
  if (!sum) return;
  let any = false;
  for (let c = 0; c < sum.length; c++) {
    const w = Math.trunc((sum[c] * (u.whole ? APART_BESIDE : APART)) / EXACTLY);
    if (w > u.weight[c]) {
      u.weight[c] = w;
      any = true;
    }
  }
  if (any && (!u.rarity || rarest < u.rarity)) u.rarity = rarest;
};

export function* match(r: Reading, units: Unit[]): Steps<void> {
  yield* load(r);
  for (const u of units) {
    u.weight = new Int32Array(r.x.chunks);
    if (u.dropped) continue;
    for (let i = 0; i < u.ways.length; i++) {
      if (i === 0) yield* oneTerm(r, u, u.ways[0][0]);
      else allTerms(r, u, u.ways[i]);
    }
    if (u.weak) u.rarity = (u.rarity + 1) >> 1;
  }
}
