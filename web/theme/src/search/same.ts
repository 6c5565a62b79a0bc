// Search: names that may equal the query exactly. internal/build/searchindex/same.go is the same in Go and explains it: change both.
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

// Returns the pages with a given mark in a list of marks.
const marked = (list: string, mark: number) => {
  const d = new Numbers(list), out = new Set<number>();
  for (let page = -1; d.more(); d.at += 2) {
    page += d.next();
    if ((DIGITS[list.charCodeAt(d.at)] | (DIGITS[list.charCodeAt(d.at + 1)] << 6)) === mark) out.add(page);
  }
  return out;
};

// Returns the pages whose name equals the query according to the marks, even if their name was not read.
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
