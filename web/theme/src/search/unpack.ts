// @ts-nocheck
// Search: the entry of the index and its shards, read. internal/build/searchindex/index.go is the same in Go: change both.
import { Numbers, readTerms, readWords } from "./match";

const starts = (counts) => {
  const d = new Numbers(counts), out = [0];
  for (let at = 0; d.more();) out.push(at += d.next());
  return out;
};
// The entry, unpacked.
export const unpack = (e) => {
  if (e.format !== 2) throw new Error("The search index is of another version.");
  const x = { chunks: e.chunks, pages: starts(e.pages), docs: starts(e.docs), facets: e.facets || [], facet: [], boosts: new Map() };
  x.first = e.sums ? e.first.split(" ") : [];
  const b = new Numbers(e.boosts);
  for (let page = -1; b.more();) x.boosts.set(page += b.next(), b.next());
  const r = new Numbers(e.runs);
  while (r.more()) {
    const n = r.next(), facet = r.next();
    for (let i = 0; i < n; i++) x.facet.push(facet);
  }
  const sum = (list, i, size) => list.slice(size * i, size * i + size);
  // The file of a shard: t0, d0 and so on, or words. Those of text are named by their digest alone.
  x.file = (name) => {
    const i = +name.slice(1);
    if (name === "words") return "words." + e.words + ".js";
    return name[0] === "t" ? name + "." + sum(e.sums, i, 8) + ".js" : "d." + sum(e.docSums, i, 12) + ".js";
  };
  return x;
};
// parseShard reads what a shard holds.
export const parseShard = (name, value) => (name === "words" ? readWords(value) : name[0] === "t" ? readTerms(value) : value);
