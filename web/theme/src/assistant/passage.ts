// Answers questions on sites without a server, with the search engine in this browser. The answer quotes the passages that contain most of
// the question. If none contains enough, it says so and lists the closest pages. internal/ai/assistant does the same on a server, with whole
// pages.
import { engineOf } from "../search/load";
import type { Lexicon } from "../search/lexicon";
import type { Hit } from "../search/rank";
import type { Answerer, SentMessage, Site } from "./site";
import { about, share, weigh } from "./terms";
import type { Term } from "./terms";

export const asksIndex = (site: Site): Answerer => {
  const MOST = 2; // passages
  const NEAREST = 3; // pages that are listed if there is no answer
  const ENOUGH = 0.55; // minimum share of the question in a passage
  const NEAR = 0.25; // … in a listed page
  const LONG = 420; // characters of a passage
  const CODE = 500; // characters of code with it
  const plain = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, "\\$&"); // passages are text, not Markdown

  // cut returns the part of a passage around its match, from the start of a sentence to the end of one.
  const cut = ({ body = "", snippet }: Hit) => {
    const text = body.replace(/\s+/g, " ").trim();
    if (text.length <= LONG) return text;
    const seen = snippet.map(([piece]) => piece).join("").replace(/^… | …$/g, "").replace(/\s+/g, " ").trim();
    const at = Math.max(text.indexOf(seen.slice(0, 60)), 0);
    const before = Math.max(text.lastIndexOf(". ", at), text.lastIndexOf("? ", at), text.lastIndexOf("! ", at));
    const from = before >= 0 && at - before < 160 ? before + 2 : at > 160 ? text.indexOf(" ", at - 40) + 1 : 0;
    const piece = text.slice(from, from + LONG);
    const end = Math.max(piece.lastIndexOf(". "), piece.lastIndexOf("? "), piece.lastIndexOf("! "));
    const whole = from + LONG >= text.length ? piece : end > LONG / 2 ? piece.slice(0, end + 1) : piece.slice(0, piece.lastIndexOf(" ")) + " …";
    return (from > 0 ? "… " : "") + whole;
  };
  const sample = (code: string | undefined) => {
    const text = (code || "").trim();
    if (!text || text.length > CODE || text.includes("```")) return "";
    return "\n\n```\n" + text + "\n```";
  };
  // ranked sorts hits by their share of the question and returns each with that share.
  const ranked = (hits: Hit[], terms: Term[], by: Lexicon) => hits.filter((h) => (h.body || h.code || "").trim()).map((hit) => {
    const has = share(terms, by, [[hit.body + " " + hit.code, 1], [hit.heading, 0.8], [hit.title, 0.6]]);
    return { hit, has, rank: has * (0.75 + 0.25 * hit.score / hits[0].score) };
  }).sort((a, b) => b.rank - a.rank);
  const link = (hit: Hit) => "/" + hit.path.replace(/^\/+/, "").replace(/^index$/, "").split("/").map(encodeURIComponent).join("/") + (hit.anchor ? "#" + encodeURIComponent(hit.anchor) : "");
  const name = (hit: Hit) => hit.title + (hit.anchor && hit.heading && hit.heading !== hit.title ? " › " + hit.heading : "");
  const written = (hits: Hit[]) => hits.map((hit, i) => {
    const text = cut(hit);
    return "#### " + plain(name(hit)) + " [" + (i + 1) + "]\n\n" + (text ? "> " + plain(text) : "") + sample(hit.code);
  }).join("\n\n");

  // queries returns the texts to search for, the most likely one first: "and on Windows?" continues the previous
  // question.
  const queries = (messages: SentMessage[], by: Lexicon) => {
    const asked = messages.filter((m) => m.role === "user").map((m) => m.parts[0].text);
    const last = asked.at(-1) ?? "", before = asked.at(-2);
    const own = about(last, by);
    if (!before || own > 3) return [last];
    const goesOn = own < 2 || /^(and|or|but|what about|how about)\b|\b(it|its|that|this|them|they|one|those|these)\b/i.test(last);
    return goesOn ? [before + " " + last, last] : [last, before + " " + last];
  };

  return {
    hello: async () => ({ mode: "local", questions: [] }),
    async *ask({ messages, context }, signal) {
      yield { type: "start", messageId: "" };
      yield { type: "data-thread", data: { threadId: "", mode: "local" } };
      const engine = await engineOf(site), by = engine.lexicon;
      const where = { language: site.language, version: site.version };
      const selected = context?.[0] && context[0].value.length < 200 ? " " + context[0].value : "";
      let found: ReturnType<typeof ranked> = [];
      for (const question of queries(messages, by)) {
        const text = (question + selected).slice(0, 200);
        const terms = await weigh(text, by, (word) => engine.search(word, { ...where, limit: 8 }));
        if (!terms.length) continue;
        const list = ranked(await engine.search(text, { ...where, limit: 12, whole: true }), terms, by);
        if (list.length && (!found.length || list[0].has > found[0].has)) found = list;
        if (found.length && found[0].has >= ENOUGH) break;
      }
      if (signal.aborted) return;
      const hits = found.filter((f) => f.has >= ENOUGH && f.rank >= found[0].rank * 0.75).slice(0, MOST).map((f) => f.hit);
      const near = found.filter((f, i) => f.has >= NEAR && found.findIndex((o) => o.hit.path === f.hit.path) === i).slice(0, NEAREST);
      const none = near.length ? "The documentation does not seem to answer this. These pages come closest:\n\n" + near.map(({ hit }) => "- [" + plain(name(hit)) + "](" + link(hit) + ")").join("\n") : "The documentation does not cover this. I can only quote from it: ask about something that it describes.";
      yield { type: "text-delta", id: "1", delta: hits.length ? written(hits) : none };
      for (const [i, hit] of hits.entries()) yield { type: "source-url", sourceId: String(i + 1), url: link(hit), title: name(hit) };
      yield { type: "finish" };
    },
    rate: null, // there is no server to receive ratings
  };
};
