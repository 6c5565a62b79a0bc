// Answers questions on sites with a server, which streams the parts of its answer.
import type { Answerer, Site } from "./site";
import { readEvents } from "./stream";

export const asksServer = (site: Site): Answerer => {
  const UNREACHED = "The assistant cannot be reached. Check your connection and try again.";
  const post = (path: string, body: unknown, signal?: AbortSignal) => fetch(site.api + path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal, referrerPolicy: "strict-origin-when-cross-origin",
  });
  const later = (seconds: number) => seconds > 90 ? " Try again in " + Math.ceil(seconds / 60) + " minutes." : seconds > 0 ? " Try again in " + seconds + " seconds." : "";
  // refusal returns the message of a server that refuses to answer.
  const refusal = async (answer: Response) => {
    let told = "";
    try { told = (await answer.json()).error; } catch { /* not a response of our server */ }
    if (answer.status === 429) return "Too many questions." + later(Number(answer.headers.get("Retry-After")) || 0);
    return typeof told === "string" && told ? told.slice(0, 300) : "The assistant cannot answer at the moment.";
  };

  return {
    async hello() {
      const answer = await fetch(site.api);
      if (!answer.ok) throw new Error(await refusal(answer));
      return answer.json();
    },
    async *ask({ messages, threadId, context }, signal) {
      const filter = { ...(site.language && { language: site.language }), ...(site.version && { version: site.version }) };
      const body = {
        messages, ...(threadId && { threadId }), ...(site.path && { currentPath: site.path.slice(0, 200) }),
        ...(context?.length && { context }), ...(Object.keys(filter).length && { filter }),
      };
      let answer: Response;
      try { answer = await post("", body, signal); } catch (error) { throw signal.aborted ? error : new Error(UNREACHED); }
      if (!answer.ok || !answer.body) throw new Error(await refusal(answer));
      yield* readEvents(answer.body);
    },
    async rate(rating) {
      const answer = await post("/feedback", rating);
      if (!answer.ok) throw new Error(await refusal(answer));
    },
  };
};

// ownAddress resolves a URL of an answer on this site. It returns null for other sites. Page paths are relative to the site's root.
export const ownAddress = (site: Site, address: string) => {
  if (address.includes("\\")) return null; // browsers treat it as a slash
  let written = address;
  if (/^\/(?!\/)/.test(address)) {
    const [, path, rest] = /^\/([^?#]*)([^]*)$/.exec(address)!;
    const name = path || (site.suffix ? "index" : "");
    written = site.root + name + (site.suffix && !/\.[a-z0-9]{1,6}$/i.test(name) ? site.suffix : "") + rest;
  }
  try {
    const url = new URL(written);
    return url.href.startsWith(site.root) && /^(?:https?|file):$/.test(url.protocol) ? url.href : null;
  } catch { return null; }
};
