// Earlier requests, stored in this browser for each operation, without credentials and files.
import { make, recall, remember, word } from "../page/page";
import { iconButton, textButton } from "./field";
import type { Plan } from "./plan";

// SavedBody is a body in the history; value is JSON.
export interface SavedBody { type: string; sent: boolean; value?: string; raw?: string }
// Entry is an earlier request. Its values are JSON, without credentials and files.
export interface Entry {
  at: string;
  status: number;
  url: string;
  server: number;
  variables: Record<string, string>;
  parameters: Record<string, string>;
  body?: SavedBody;
}

const HISTORY_MAX = 20;

export class Past {
  private key: string;
  constructor(plan: Plan) { this.key = "lectern-try " + plan.method + " " + (plan.servers?.[0]?.url || "") + plan.path; }
  list(): Entry[] { const list = recall(this.key); return Array.isArray(list) ? list : []; }
  // add inserts an entry at the start and removes an older one with the same request.
  add(entry: Entry) {
    const same = ({ at, status, ...rest }: Entry) => JSON.stringify(rest);
    remember(this.key, [entry, ...this.list().filter((e) => same(e) !== same(entry))].slice(0, HISTORY_MAX));
  }
  clear() { try { localStorage.removeItem(this.key); } catch { /* no storage */ } }
}

// pastView lists earlier requests; load restores one into the form.
export const pastView = (past: Past, load: (entry: Entry) => void, close: () => void) => {
  const list = past.list();
  const item = (e: Entry) => make("li", {}, make("button", { type: "button", className: "try-past", onclick: () => load(e) },
    make("span", { className: "api-status", dataset: { class: String(e.status || "")[0] || "" } }, e.status ? String(e.status) : "—"),
    make("span", { className: "try-past-url" }, e.url), make("time", { className: "try-facts", dateTime: e.at }, new Date(e.at).toLocaleString())));
  return make("div", { className: "try-history" },
    make("div", { className: "try-bar" }, make("h3", {}, word("History")), make("div", { className: "try-tools" },
      ...list.length ? [textButton("trash", word("Clear"), () => { past.clear(); close(); }, "try-clear")] : [], iconButton("close", word("Close"), close))),
    list.length ? make("ul", {}, ...list.map(item)) : make("p", { className: "try-empty" }, "No requests yet."),
    make("p", { className: "try-note" }, "Stored in this browser only, without credentials and files."));
};
