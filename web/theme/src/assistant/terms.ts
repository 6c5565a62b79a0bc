// The words that a question is about. Which words of the site count as them is the search's decision: it is asked about each.
// internal/ai/assistant/word.go does the same on a server, with the words and synonyms of the search.
import type { Hit } from "../search/rank";

export interface Term { forms: Map<string, number>; weight: number } // forms: words of pages that count as it, and for how much

// Words of a question that say nothing of what it is about.
const FILLER = new Set(("a about actually after again all also am an and another any anything are as at be because been before being but by can cannot could did do does doing " +
  "explain find for from get gets getting give go going good got had happen happens has have having help here hello hey hi how i if im in inside into is " +
  "isn it its just know let like lot make makes many may me mean meaning means might more most much must my need needed needs no not of ok on one only or " +
  "other our out own page pages per piece please possible question really regarding say see several should show so some someone something still such sure " +
  "tell than thank thanks that the their them then there these they thing things this those to too up us use used uses using very want wants was way ways " +
  "we well were what whats when where whether which while who whom whose why will with within without work works would yes you your yours").split(" "));
const MOST = 12; // words
const SAME = 0.95, CORRECTED = 0.7, COMPLETED = 0.35; // what forms count for: of one stem; the word is not on the site; it begins a longer one
const UNKNOWN = 0.9; // weight of a word that the site does not have

const split = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
const stem = (w: string) => w.replace(/^(.{4,})(?:ations?|ments?|ings?|ions?|ies|ers)$|^(.{3,})(?:ed|es|er|or|s|e|y)$/, "$1$2");

// about is the significant words of a question, each once.
export const about = (text: string) => [...new Set(split(text).filter((w) => !FILLER.has(w) && (w.length > 1 || /\d/.test(w))))];

// weigh asks the search about each word: the rarer on the site, the more it counts.
export const weigh = async (text: string, search: (word: string) => Promise<Hit[]>): Promise<Term[]> => Promise.all(about(text).slice(0, MOST).map(async (word) => {
  const hits = await search(word);
  const seen = [...new Set(hits.flatMap((h) => h.snippet.filter(([, is]) => is).flatMap(([piece]) => split(piece))))];
  const known = seen.some((w) => stem(w) === stem(word));
  const forms = new Map(seen.map((w) => [w, stem(w) === stem(word) ? SAME : known ? COMPLETED : CORRECTED]));
  const pages = new Set(hits.map((h) => h.path)).size;
  return { forms: forms.set(word, 1), weight: pages ? 1 / (1 + 0.35 * Math.log(pages)) : UNKNOWN };
}));

// share is how much of the question some texts have, 0 to 1; each text has its worth.
export const share = (terms: Term[], texts: [text: string, worth: number][]) => {
  const have = texts.map(([text, worth]) => {
    const words = new Set(split(text));
    return { words, stems: new Set([...words].map(stem)), worth };
  });
  let sum = 0, all = 0;
  for (const { forms, weight } of terms) {
    let best = 0;
    for (const { words, stems, worth } of have) {
      for (const [form, counts] of forms) if (words.has(form)) best = Math.max(best, counts * worth);
      const [word] = [...forms].find(([, counts]) => counts === 1)!;
      if (stems.has(stem(word))) best = Math.max(best, SAME * worth);
    }
    sum += weight * best;
    all += weight;
  }
  return all ? sum / all : 0;
};
