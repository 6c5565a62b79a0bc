// Search: decodes the entry of the index and its shards. internal/build/searchindex/index.go is the same in Go: change
// both.
import { Numbers, holder, readTerms, readWords } from "./match";
import type { PageText, Shard, TermFile } from "./match";

// Facet holds the language, version and tags of pages.
interface Facet { l?: string; v?: string; t?: string[] }

// Entry is the first file of the index, as written by internal/build/searchindex.
interface Entry {
  format: number;
  chunks: number;
  pages: string;
  docs: string;
  facets?: Facet[];
  first: string;
  sums: string;
  groups: string;
  docSums: string;
  boosts: string;
  runs: string;
  words: string;
  names?: PageText[];
  frequent?: string;
}

// Index is the decoded entry.
export interface Index {
  chunks: number;
  pages: number[]; // the first chunk of each page, and the end
  docs: number[]; // the first chunk of each text shard, and the end
  facets: Facet[];
  facet: number[]; // by page
  boosts: Map<number, number>; // by page, in percent
  first: string[]; // the first term of each term shard
  names: PageText[]; // by page; empty on a large site
  often: Map<string, number>; // rank of each of the most common words, from 0
  file: (name: string) => string;
}

const starts = (counts: string) => {
  const d = new Numbers(counts), out = [0];
  for (let at = 0; d.more();) out.push(at += d.next());
  return out;
};
// unpack decodes the entry.
export const unpack = (value: unknown): Index => {
  const e = value as Entry;
  if (e.format !== 4) throw new Error("The search index has a different version.");
  const boosts = new Map<number, number>(), facet: number[] = [];
  const b = new Numbers(e.boosts);
  for (let page = -1; b.more();) boosts.set(page += b.next(), b.next());
  const r = new Numbers(e.runs);
  while (r.more()) {
    const n = r.next(), one = r.next();
    for (let i = 0; i < n; i++) facet.push(one);
  }
  const often = new Map((e.frequent || "").split(" ").filter(Boolean).map((w, i) => [w, i]));
  const sum = (list: string, i: number, size: number) => list.slice(size * i, size * i + size);
  const groups = starts(e.groups);
  // Returns the file name of a shard: t0, d0 and so on, or words. Consecutive text shards share a digest and are numbered within their
  // group.
  const file = (name: string) => {
    const i = +name.slice(1);
    if (name === "words") return "words." + e.words + ".js";
    if (name[0] === "t") return name + "." + sum(e.sums, i, 8) + ".js";
    const at = holder(groups, i);
    return "d" + (i - groups[at]) + "." + sum(e.docSums, at, 12) + ".js";
  };
  return { chunks: e.chunks, pages: starts(e.pages), docs: starts(e.docs), facets: e.facets || [], facet, boosts, first: e.sums ? e.first.split(" ") : [], names: e.names || [], often, file };
};
// parseShard decodes the content of a shard.
export const parseShard = (name: string, value: unknown): Shard =>
  name === "words" ? readWords(value as string) : name[0] === "t" ? readTerms(value as TermFile) : value as Shard;
