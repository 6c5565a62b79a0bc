// Search: words between quotation marks. internal/build/searchindex/phrase.go is the same in Go and explains it: change
// both.
import type { Unit } from "./query";
import { plainName } from "./same";
import { PART, tokens } from "./token";

const LIKELY = 4, FOUND = 16, ABSENT = 0.25;

// Phrase holds the words between two quotation marks, and the units of those that are looked up.
export interface Phrase { words: string[]; units: Unit[] }

// Every second part is between two marks, except for the last one.
const atQuoteMarks = (text: string) => text.split(/["“”„«»]/);

const wordsInOrder = (text: string) => {
  const out: string[] = [];
  tokens(text, (kind, term) => { if (kind === PART) out.push(term); });
  return out;
};
export const phrasesOf = (text: string, units: Unit[]): Phrase[] => {
  const parts = atQuoteMarks(text), out: Phrase[] = [];
  for (let i = 1; i + 1 < parts.length; i += 2) {
    const words = wordsInOrder(parts[i]), has = (word: string) => words.includes(word);
    if (words.length < 2) continue;
    out.push({ words, units: units.filter((u) => !u.optional && !u.dropped && (has(u.ways[0][0]) || (u.ways.length > 1 && u.ways[1].every(has)))) });
  }
  return out;
};

// Returns a query without quotation marks around the whole query.
export const unquoted = (text: string) => {
  const parts = atQuoteMarks(text);
  return parts.length === 3 && !plainName(parts[0]) && !plainName(parts[2]) ? parts[1] : text;
};

const isLikely = (p: Phrase, chunk: number) => p.units.length > 0 && p.units.every((u) => u.weight[chunk] > 0 || u.cut);
const isIn = (p: Phrase, words: string[]) => words.some((_, i) => p.words.every((word, k) => words[i + k] === word));

// Returns the factor for a chunk by the lists of the phrases' words.
export const likely = (phrases: Phrase[], chunk: number) => {
  let out = 1;
  for (const p of phrases) if (isLikely(p, chunk)) out *= LIKELY;
  return out;
};

// Returns the additional factor for a chunk by its loaded texts. read is set if these are all of its texts.
export const confirmed = (phrases: Phrase[], chunk: number, texts: string[], read: boolean) => {
  if (!phrases.length) return 1;
  let out = 1;
  const words = texts.map(wordsInOrder);
  for (const p of phrases) {
    if (words.some((w) => isIn(p, w))) out *= FOUND;
    else if (read && isLikely(p, chunk)) out *= ABSENT;
  }
  return out;
};
