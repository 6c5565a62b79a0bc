// Who answers, when the site has no server: the search engine, in this browser. The answer quotes the passages that fit best.
import { engineOf } from "../search/load";
import type { Hit } from "../search/rank";
import type { Answerer, SentMessage, Site } from "./site";

export const asksIndex = (site: Site): Answerer => {
  const MOST = 4; // passages
  const LONG = 420; // characters of one
  const CODE = 500; // characters of code beside it
  const plain = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, "\\$&"); // a passage is text, not Markdown

  // cut takes the part of a passage around its match, from the start of a sentence to the end of one.
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
  // best takes what is near the first hit, at most two passages of a page, those that say something.
  const best = (hits: Hit[]) => {
    const pages = new Map<string, number>();
    return hits.filter((hit) => {
      const n = pages.get(hit.path) || 0;
      if (n === 2 || hit.score < hits[0].score * 0.3 || !(hit.body || hit.code || "").trim()) return false;
      pages.set(hit.path, n + 1);
      return true;
    }).slice(0, MOST);
  };
  const written = (hits: Hit[]) => hits.map((hit, i) => {
    const name = hit.anchor && hit.heading && hit.heading !== hit.title ? hit.title + " › " + hit.heading : hit.title;
    const text = cut(hit);
    return "#### " + plain(name) + " [" + (i + 1) + "]\n\n" + (text ? "> " + plain(text) : "") + sample(hit.code);
  }).join("\n\n");

  const query = (messages: SentMessage[]) => {
    const asked = messages.filter((m) => m.role === "user").map((m) => m.parts[0].text);
    const last = asked.at(-1) ?? "";
    return asked.length > 1 && last.split(/\s+/).length < 4 ? last + " " + asked.at(-2) : last; // "and on Windows?" goes on with what was asked before
  };

  return {
    hello: async () => ({ mode: "local", questions: [] }),
    async *ask({ messages, context }, signal) {
      yield { type: "start", messageId: "" };
      yield { type: "data-thread", data: { threadId: "", mode: "local" } };
      const engine = await engineOf(site);
      const text = query(messages) + (context?.[0] && context[0].value.length < 200 ? " " + context[0].value : "");
      const hits = best(await engine.search(text.slice(0, 200), { limit: 12, language: site.language, version: site.version, whole: true }));
      if (signal.aborted) return;
      const delta = hits.length ? written(hits) : "Nothing in these docs matches that question. Try other words.";
      yield { type: "text-delta", id: "1", delta };
      for (const [i, hit] of hits.entries()) {
        yield { type: "source-url", sourceId: String(i + 1), url: "/" + hit.path.replace(/^\/+/, "").replace(/^index$/, "").split("/").map(encodeURIComponent).join("/") + (hit.anchor ? "#" + encodeURIComponent(hit.anchor) : ""), title: hit.title + (hit.anchor && hit.heading && hit.heading !== hit.title ? " › " + hit.heading : "") };
      }
      yield { type: "finish" };
    },
    rate: null, // nobody would hear it
  };
};
