// Search: how the index treats words, for callers that look for words in results. internal/build/searchindex/lexicon.go is the same in Go,
// with synonyms.
import { inflections } from "./inflect";
import { GROUPED, HANGUL, JOINED, PAIR, classOf, tokens } from "./token";

// Word is a word of a text as a term of the index. parts are terms that together also match it: the parts of self-hosted, or the character
// pairs of a Korean word.
export interface Word { term: string; parts: string[] }
export interface Lexicon {
  words: (text: string) => Word[];
  terms: (text: string) => Set<string>;
  family: (term: string) => Set<string>; // a term and its other forms
}

export const lexicon: Lexicon = {
  words: (text) => {
    const out: (Word & { start: number; end: number })[] = [];
    tokens(text, (kind, term, start, end) => {
      const parts: string[] = [], last = out[out.length - 1];
      if (kind === PAIR && last && start < last.end && classOf(term.codePointAt(0)!) === HANGUL) last.parts.push(term);
      if (kind === GROUPED || kind === PAIR) return;
      while (kind === JOINED && out.length && out[out.length - 1].start >= start) parts.unshift(out.pop()!.term);
      out.push({ term, parts, start, end: kind === JOINED ? 0 : end });
    });
    return out.map(({ term, parts }) => ({ term, parts }));
  },
  terms: (text) => {
    const out = new Set<string>();
    tokens(text, (_, term) => { out.add(term); });
    return out;
  },
  family: (term) => {
    return new Set([term, ...inflections(term)].flatMap((form) => [form, ...inflections(form)]));
  },
};
