// Search: names that a query may equal letter by letter. internal/build/searchindex/same.go is the same in Go, and says why: change both.
import { DIGITS, Numbers, partOf } from "./match";
import type { Reading } from "./plan";
import type { Unit } from "./query";

export const plainName = (text: string) =>
  text.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, "").replace(/[A-Z]+/g, (s) => s.toLowerCase());

const nameMark = (plain: string) => {
  let h = 2166136261;
  for (let i = 0; i < plain.length; i++) h = Math.imul(h ^ plain.charCodeAt(i), 16777619);
  return (h ^ (h >>> 12) ^ (h >>> 24)) & 4095;
};

// The pages of a list of marks that have one.
const marked = (list: string, mark: number) => {
  const d = new Numbers(list), out = new Set<number>();
  for (let page = -1; d.more(); d.at += 2) {
    page += d.next();
    if ((DIGITS[list.charCodeAt(d.at)] | (DIGITS[list.charCodeAt(d.at + 1)] << 6)) === mark) out.add(page);
  }
  return out;
};

// The pages that are known to have the query as their name, though nothing that was read names them.
export const sameName = (r: Reading, units: Unit[]) => {
  const mark = nameMark(r.plain);
  let out: Set<number> | undefined;
  for (const u of units) {
    if (u.optional || u.dropped) continue;
    const term = u.ways[0][0], list = r.parts.get(partOf(r.x, term))?.marks.get(term);
    if (!list) return new Set<number>();
    const own = marked(list, mark);
    out = new Set([...(out ?? own)].filter((page) => own.has(page)));
  }
  return out ?? new Set<number>();
};
