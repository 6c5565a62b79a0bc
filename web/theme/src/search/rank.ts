// Search, fourth part: ranks pages by weights. internal/build/searchindex/{rank,search}.go is the same in Go: change both.
import { holder, match } from "./match";
import type { ChunkText, PageText, Steps, Texts } from "./match";
import { confirmed, likely } from "./phrase";
import { nameOf, plan } from "./plan";
import type { Reading } from "./plan";
import { parse } from "./query";
import type { Unit } from "./query";
import { plainName, sameName } from "./same";
import { snippet } from "./snippet";
import type { Piece } from "./snippet";
import { JOINED, PART, common, tokens } from "./token";
import type { Index } from "./unpack";

export interface Options {
  limit?: number;
  language?: string;
  version?: string;
  tag?: string;
  whole?: boolean; // read all useful shards, even if that takes too long for a reader, and include the whole text in hits
  // Number of shards of text to read in addition to those for the ranking. More hits then have their text, including pages of
  // which nothing else is known.
  texts?: number;
  early?: (hits: Hit[]) => void; // called with the hits that are known before any text is read
  stop?: () => boolean; // reports whether the answer is no longer needed; then nothing is loaded, and there are no hits
}
// Answer holds the hits, and whether more texts would add results.
export interface Answer { hits: Hit[]; more: boolean }
export interface Hit {
  path: string;
  anchor: string;
  title: string;
  heading: string;
  crumbs: string[];
  snippet: Piece[];
  score: number;
  body?: string;
  code?: string;
}

interface Scored { page: number; score: number; name: number; meta?: PageText }
interface Chunk { chunk: number; score: number; isHead: boolean; text?: ChunkText }
// Found is a page with its best chunks. Its score includes the factor for its name. Texts are set if their shards were read.
interface Found extends Scored { best: number; chunks: Chunk[] }

const UNKNOWN_RARITY = 96, LIMIT = 10, LIMIT_MAX = 100, PER_PAGE = 3, CHUNKS_LOOKED = 4, SPARE = 4, SPARE_QUOTED = 60, TITLE_SAME = 6, SIDEBAR_SAME = 4, HEAD_FULL = 2400, FEWER = 2,
  NEAR_WORTH = 0.8, DENSE_WORTH = 0.8, UNREAD_WORTH = 0.3, NEAR_SHARE = 0.5, NEAR_MOST = 5;

const allowed = (x: Index, o: Options) => {
  const tag = (o.tag || "").toLowerCase();
  const fits = (want: string | undefined, have: string | undefined) => !want || !have || have === want;
  return x.facets.map((f) => fits(o.language, f.l) && fits(o.version, f.v) && (!tag || !f.t || !f.t.length || f.t.some((t) => t.toLowerCase() === tag)));
};

// Spread describes how the words of a query are distributed over a page: see rank.go.
interface Spread { found: boolean; covered: number; rarity: number; chunks: number; head: number }
// Computes the Spread, and sets around to the weight of each word for occurring anywhere on the page.
const spread = (x: Index, page: number, units: Unit[], around: Float64Array): Spread => {
  const from = x.pages[page], to = x.pages[page + 1], s = { found: false, covered: 0, rarity: 0, chunks: 0, head: 0 };
  for (let i = 0; i < units.length; i++) {
    const u = units[i];
    let most = 0, n = 0;
    for (let c = from; c < to; c++) {
      if (u.weight[c] > most) most = u.weight[c];
      if (u.weight[c] > 0) n++;
    }
    around[i] = 0;
    if (most > 0) {
      s.found = true;
      around[i] = Math.max(u.weight[from] * 0.5, most * 0.3);
    }
    if (!u.optional && (most > 0 || u.cut)) s.covered += u.rarity;
    if (u.ways.length > 1) continue; // an identifier
    s.rarity += u.rarity;
    s.chunks += u.rarity * n;
    s.head += u.rarity * Math.min(u.weight[from], HEAD_FULL);
  }
  return s;
};
const weighChunk = (c: number, units: Unit[], around: Float64Array) => {
  let score = 0, own = false;
  for (let i = 0; i < units.length; i++) {
    const w = units[i].weight[c];
    own = own || w > 0;
    score += Math.max(w, around[i]) * units[i].rarity;
  }
  return own ? score : 0;
};
const weighPage = ({ x, phrases }: Reading, page: number, units: Unit[], around: Float64Array, total: number) => {
  const s = spread(x, page, units, around);
  if (!s.found) return 0;
  let score = 0;
  for (let c = x.pages[page]; c < x.pages[page + 1]; c++) score = Math.max(score, weighChunk(c, units, around) * likely(phrases, c));
  if (total > 0) score = (score * s.covered) / total;
  if (s.rarity > 0) {
    score *= 1 + s.chunks / (s.rarity * (x.pages[page + 1] - x.pages[page] + FEWER));
    score *= 1 + s.head / (s.rarity * HEAD_FULL);
  }
  const boost = x.boosts.get(page);
  return boost === undefined ? score : (score * boost) / 100;
};
const weighChunks = ({ x, phrases }: Reading, p: Scored, units: Unit[], around: Float64Array): Found => {
  spread(x, p.page, units, around);
  const all: Chunk[] = [];
  for (let c = x.pages[p.page]; c < x.pages[p.page + 1]; c++) {
    const score = weighChunk(c, units, around) * likely(phrases, c);
    if (score > 0) all.push({ chunk: c, score, isHead: c === x.pages[p.page] });
  }
  all.sort((a, b) => b.score - a.score);
  const best = all[0].score;
  return { ...p, best, chunks: all.filter((c, i) => i < CHUNKS_LOOKED && c.score >= best * 0.6) };
};

const better = (a: Scored, b: Scored) => b.score - a.score || a.page - b.page;
// Reports whether the name of a page may contain all words that were looked up, because its first chunk does.
const mayName = (x: Index, page: number, units: Unit[]) => units.every((u) => u.optional || u.dropped || u.weight[x.pages[page]] > 0);
const nameWorth = (meta: PageText, units: Unit[], plain: string) => {
  const same = (name = "") => name.length >= plain.length && plainName(name) === plain;
  if (same(meta[1])) return TITLE_SAME;
  if (same(meta[4])) return SIDEBAR_SAME;
  let out = nameFactor(meta[3] || meta[1], units, 3, 1.45, 1.2);
  if (meta[3]) out = Math.max(out, nameFactor(meta[1], units, 3, 1, 1));
  return meta[4] ? Math.max(out, nameFactor(meta[4], units, 2, 1.3, 1.1)) : out;
};
const rank = (r: Reading, units: Unit[], options: Options, limit: number): Found[] => {
  const { x } = r;
  let total = 0;
  for (const u of units) if (!u.optional && !u.dropped) total += u.rarity || UNKNOWN_RARITY;
  const fits = allowed(x, options), around = new Float64Array(units.length), keep = limit + (r.phrases.length ? SPARE_QUOTED : SPARE), out: Scored[] = [];
  const same = sameName(r, units);
  for (let page = 0; page + 1 < x.pages.length; page++) {
    if (!fits[x.facet[page]]) continue;
    let score = weighPage(r, page, units, around, total), name = 1;
    if (score > 0 && mayName(x, page, units)) {
      const meta = nameOf(r, page);
      if (meta) name = nameWorth(meta, units, r.plain);
      else if (same.has(page)) name = TITLE_SAME;
      score *= name;
    }
    if (score <= 0 || (out.length === keep && score <= out[keep - 1].score)) continue;
    let at = out.length;
    while (at > 0 && out[at - 1].score < score) at--;
    out.splice(at, 0, { page, score, name });
    if (out.length > keep) out.pop();
  }
  return out.map((p) => weighChunks(r, { ...p, meta: nameOf(r, p.page) }, units, around));
};

// Returns the index of the matching unit for each word of a text, or -1. For a name, common words without a unit are omitted.
// longer is set if some word only begins with a word of the query.
const sequence = (text: string, units: Unit[], isName: boolean) => {
  const words: number[] = [], starts: number[] = [];
  let longer = false;
  tokens(text, (kind, term, start) => {
    const is = units.findIndex((u) => !u.optional && u.forms.has(term));
    if (kind === JOINED && is >= 0) {
      while (words.length && starts[starts.length - 1] >= start) {
        words.pop();
        starts.pop();
      }
    } else if (kind !== PART || (isName && is < 0 && common(term))) return;
    words.push(is);
    starts.push(start);
    longer = longer || (is >= 0 && units[is].longer.has(term));
  });
  return { words, longer };
};
const nameFactor = (name: string, units: Unit[], is: number, starts: number, has: number) => {
  const { words, longer } = sequence(name, units, true), have = new Set(words);
  let asked = 0, inOrder = true;
  for (let i = 0; i < units.length; i++) {
    if (units[i].optional) continue;
    if (!have.has(i)) return 1;
    inOrder = inOrder && words[asked] === i;
    asked++;
  }
  if (!asked) return 1;
  if (inOrder) return words.length === asked && !longer ? is : starts;
  return has;
};
// Returns 1 if one word follows another with at most one other word between them, NEAR_SHARE if they are near each other,
// otherwise 0.
const together = (words: number[], one: number, other: number) => {
  let best = 0;
  for (let i = 0; i < words.length; i++) {
    if (words[i] !== one) continue;
    if (words[i + 1] === other || (words[i + 1] < 0 && words[i + 2] === other)) return 1;
    if (words.slice(Math.max(0, i - NEAR_MOST), i + 1 + NEAR_MOST).includes(other)) best = NEAR_SHARE;
  }
  return best;
};
// Returns the number of words of a query divided by the length in words of the shortest part of a text that contains all of
// them: 1 if there are no other words among them, 0 if one is missing.
const density = (words: number[], units: Unit[]) => {
  const all = [...units.keys()].filter((i) => !units[i].optional), kinds = all.length, seen = new Map<number, number>();
  if (!all.every((i) => words.includes(i))) return 0;
  let shortest = words.length, start = 0;
  for (let end = 0; end < words.length; end++) {
    if (words[end] < 0) continue;
    seen.set(words[end], (seen.get(words[end]) || 0) + 1);
    for (; seen.size === kinds; start++) {
      shortest = Math.min(shortest, end + 1 - start);
      const n = seen.get(words[start]);
      if (n === 1) seen.delete(words[start]);
      else if (n) seen.set(words[start], n - 1);
    }
  }
  return kinds / shortest;
};
// Returns the bonus of a text for how close the words of the query are to each other.
const nearness = (text: string, units: Unit[]) => {
  const order = [...units.keys()].filter((i) => !units[i].optional && !units[i].weak);
  if (order.length < 2) return 0;
  const { words } = sequence(text, units, false);
  let pairs = 0;
  for (let k = 0; k + 1 < order.length; k++) pairs += together(words, order[k], order[k + 1]);
  return (NEAR_WORTH * pairs) / (order.length - 1) + DENSE_WORTH * density(words, units);
};

// Estimates the nearness of a text that was not read. With 0, pages whose texts are within the budget would rank above
// better ones.
const likelyNearness = (chunk: number, units: Unit[]) => {
  let words = 0, all = 0, has = 0;
  for (const u of units) {
    if (u.optional || u.weak) continue;
    words++;
    all += u.rarity;
    if (u.weight[chunk] > 0) has += u.rarity;
  }
  return words < 2 || !all ? 0 : (UNREAD_WORTH * has) / all;
};

// Adds the shards of text for pages to texts, up to most.
const choose = (x: Index, found: Found[], texts: Set<number>, most: number) => {
  for (const p of found) {
    for (const c of p.chunks) {
      const i = holder(x.docs, c.chunk);
      if (texts.size < most) texts.add(i);
    }
  }
};
function* read(x: Index, found: Found[], texts: Set<number>): Steps<void> {
  const want = [...texts];
  const shards = (yield want.map((i) => "d" + i)) as Texts[];
  for (const p of found) {
    for (const c of p.chunks) {
      const i = holder(x.docs, c.chunk);
      if (!texts.has(i)) continue;
      const part = shards[want.indexOf(i)];
      p.meta = part.p[p.page - holder(x.pages, x.docs[i])]; // a shard lists pages starting with its first one
      c.text = part.c[c.chunk - x.docs[i]];
    }
  }
}
// Returns the loaded texts of a chunk. The title belongs to text that is not below a heading.
const textsOf = ({ text, isHead }: Chunk, meta?: PageText) => {
  const names = meta && (text ? !text[1] : isHead) ? [meta[3] || meta[1], meta[4] || ""] : [];
  return text ? [...names, text[1], text[2], text[3], ...(text[4] || "").split("\n")] : names;
};
const rescore = (p: Found, units: Unit[], { plain, phrases }: Reading) => {
  const rest = p.score / p.name / p.best;
  for (const c of p.chunks) {
    const texts = textsOf(c, p.meta);
    let near = Math.max(0, ...texts.map((t) => nearness(t, units)));
    if (!c.text) near = Math.max(near, likelyNearness(c.chunk, units));
    c.score = c.score * (1 + near) * confirmed(phrases, c.chunk, texts, Boolean(c.text));
  }
  p.chunks.sort((a, b) => b.score - a.score);
  p.best = p.chunks[0].score;
  if (p.meta) p.name = nameWorth(p.meta, units, plain); // a mark may belong to another name
  const heading = p.chunks[0].text?.[1];
  if (heading) p.name = Math.max(p.name, nameFactor(heading, units, 1.5, 1.2, 1.1));
  p.score = rest * p.best * p.name;
};

// Returns hits for the chunks whose text was read, or for the page if there are none.
const answer = (found: Found[], units: Unit[], limit: number, whole?: boolean): Answer => {
  const hits: Hit[] = [];
  let more = false;
  for (const p of found) {
    const shown = new Set<string>();
    for (const c of p.chunks) {
      more = more || !c.text;
      if (!c.text || !p.meta || hits.length === limit) continue;
      const [anchor, heading, body, code] = c.text;
      if (shown.has(anchor) || shown.size === PER_PAGE) continue;
      shown.add(anchor);
      hits.push({
        path: p.meta[0], anchor, title: p.meta[1], heading, crumbs: p.meta[2], snippet: snippet(body, code, units),
        score: (p.score * c.score) / p.best, ...(whole && { body, code }),
      });
    }
    if (!p.meta || shown.size || hits.length === limit) continue;
    hits.push({ path: p.meta[0], anchor: "", title: p.meta[1], heading: "", crumbs: p.meta[2], snippet: [], score: p.score });
  }
  return { hits, more };
};

export function* search(x: Index, text: string, options: Options): Steps<Answer> {
  const units = parse(text);
  if (!units.length || !x.chunks) return { hits: [], more: false };
  const limit = Math.min(Math.max(Math.trunc(options.limit ?? 0) || 0, 0) || LIMIT, LIMIT_MAX);
  const r = plan(x, text, units, options.whole);
  yield* match(r, units);
  const found = rank(r, units, options, limit), texts = new Set<number>();
  options.early?.(answer(found, units, limit).hits);
  const left = r.budget.files - r.read; // after corrections, there may be no budget for texts, only titles
  choose(x, found, texts, left > 0 || found.some((p) => p.meta) ? left : 1);
  yield* read(x, found, texts);
  for (const p of found) rescore(p, units, r);
  found.sort(better);
  const extra = options.texts ?? 0;
  if (extra > 0) {
    choose(x, found, texts, texts.size + extra);
    yield* read(x, found, texts);
  }
  return answer(found, units, limit, options.whole);
}
