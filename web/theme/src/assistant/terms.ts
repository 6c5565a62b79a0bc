// The significant words of a question. A search for each of them determines which words of the site match.
// internal/ai/assistant/word.go does the same on a server, with the words and synonyms of the search.
import type { Lexicon } from "../search/lexicon";
import type { Hit } from "../search/rank";

// forms: terms of pages that match it, with weights; parts: terms that match it together
export interface Term { forms: Map<string, number>; parts: string[]; weight: number }

// Words that do not tell what a question is about.
const FILLER = "a about actually after again all also am an and another any anything are as at be because been before being but by can cannot could did do does doing " +
  "explain find for from get gets getting give go going good got had happen happens has have having help here hello hey hi how i if im in inside into is " +
  "isn it its just know let like lot make makes many may me mean meaning means might more most much must my need needed needs no not of ok on one only or " +
  "other our out own page pages per piece please possible question really regarding say see several should show so some someone something still such sure " +
  "tell than thank thanks that the their them then there these they thing things this those to too up us use used uses using very want wants was way ways " +
  "we well were what whats when where whether which while who whom whose why will with within without work works would yes you your yours";
const MOST = 12; // words
const SAME = 0.95, CORRECTED = 0.7, COMPLETED = 0.35; // weights of forms: same stem; correction of a word that is not on the site; longer word that starts with it
const UNKNOWN = 0.9; // weight of a word that is not on the site

// significant returns the words that tell what a question is about, without duplicates.
const significant = (text: string, { words, terms }: Lexicon) => {
  const filler = terms(FILLER), all = words(text);
  return all.filter(({ term }, i) => !filler.has(term) && (term.length > 1 || /\d/.test(term)) && all.findIndex((o) => o.term === term) === i);
};

// about returns the number of significant words.
export const about = (text: string, by: Lexicon) => significant(text, by).length;

// weigh searches for each significant word. Words that are rarer on the site have a higher weight.
export const weigh = async (text: string, by: Lexicon, search: (word: string) => Promise<Hit[]>): Promise<Term[]> => Promise.all(significant(text, by).slice(0, MOST).map(async ({ term, parts }) => {
  const hits = await search(parts.join("") === term ? parts.join("-") : term);
  const seen = hits.flatMap((h) => h.snippet.filter(([, is]) => is).flatMap(([piece]) => [...by.terms(piece)]));
  const own = by.family(term);
  const known = seen.some((w) => own.has(w));
  const forms = new Map(seen.map((w) => [w, known ? COMPLETED : CORRECTED]));
  for (const form of own) forms.set(form, SAME);
  const pages = new Set(hits.map((h) => h.path)).size;
  return { forms: forms.set(term, 1), parts, weight: pages ? 1 / (1 + 0.35 * Math.log(pages)) : UNKNOWN };
}));

// share returns the share of the question that the texts contain, from 0 to 1. Each text has a weight.
export const share = (terms: Term[], by: Lexicon, texts: [text: string, worth: number][]) => {
  const have = texts.map(([text, worth]) => ({ words: by.terms(text), worth }));
  let sum = 0, all = 0;
  for (const { forms, parts, weight } of terms) {
    let best = 0;
    for (const { words, worth } of have) {
      for (const [form, counts] of forms) if (words.has(form)) best = Math.max(best, counts * worth);
      if (parts.length) best = Math.max(best, SAME * worth * parts.filter((p) => words.has(p)).length / parts.length);
    }
    sum += weight * best;
    all += weight;
  }
  return all ? sum / all : 0;
};
