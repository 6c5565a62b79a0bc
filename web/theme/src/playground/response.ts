// Shows a response by its type. HTML, SVG and similar types are shown as text, and never rendered or run.
import { copyText } from "../page/clipboard";
import { make, word } from "../page/page";
import { say } from "../page/say";
import { iconButton } from "./field";
import { readJSON, writeJSON } from "./json";
import { jsonView, span } from "./jsonview";
import type { Answered } from "./transport";

export const STATUS: Record<number, string> = {
  200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
  307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
  406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
  418: "I’m a Teapot", 422: "Unprocessable Content", 423: "Locked", 425: "Too Early", 428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
  500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
};
const TEXT_MAX = 300_000; // maximum characters shown; the rest is in the download
const sizeWords = (n: number) => n < 1000 ? n + " B" : n < 1e6 ? (n / 1000).toFixed(1) + " kB" : (n / 1e6).toFixed(1) + " MB";
const timeWords = (ms: number) => ms < 1000 ? Math.round(ms) + " ms" : (ms / 1000).toFixed(2) + " s";

const answerKind = (type: string) => {
  const t = type.split(";")[0].trim().toLowerCase();
  if (t === "text/event-stream") return "events";
  if (t === "application/json" || t.endsWith("+json") || t === "text/json") return "json";
  if (/^image\/(?!svg)/.test(t)) return "image";
  if (/^(audio|video)\//.test(t)) return t.slice(0, 5);
  if (/^text\/|[+/](xml|yaml|x-yaml|javascript|ecmascript|graphql|sql|x-www-form-urlencoded|x-ndjson|jsonl?|toml|x-sh)$/.test(t)) return "text";
  return t ? "binary" : "unknown";
};

const EXTENSIONS: Record<string, string> = {
  "text/html": "html", "text/plain": "txt", "image/svg+xml": "svg", "application/octet-stream": "bin", "text/event-stream": "txt", "image/jpeg": "jpg",
};
const extension = (type: string) => (EXTENSIONS[type.split(";")[0].trim()] ||
  /^[a-z]+\/(?:.*\+)?(?:x-)?([a-z0-9]{2,5})\b/i.exec(type)?.[1] || "bin");

const hexView = (bytes: Uint8Array<ArrayBuffer>) => {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, 1024); at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    lines.push(at.toString(16).padStart(6, "0") + "  " + row.map((b) => b.toString(16).padStart(2, "0")).join(" ").padEnd(48) + "  " + row.map((b) => b > 31 && b < 127 ? String.fromCharCode(b) : ".").join(""));
  }
  return lines.join("\n");
};

const preText = (text: string) => make("pre", { className: "try-pre", tabIndex: 0, "aria-label": "Body" }, text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) + "\n…" : text);

// decodeStrict decodes text. It returns null for invalid UTF-8, and for an unknown charset.
const decodeStrict = (bytes: Uint8Array<ArrayBuffer>, charset = "utf-8") => { try { return new TextDecoder(charset, { fatal: charset === "utf-8" }).decode(bytes); } catch { return null; } };

// bodyView renders a body. urls collects object URLs to revoke.
const bodyView = (bytes: Uint8Array<ArrayBuffer>, type: string, urls: string[]) => {
  if (!bytes.length) return [make("p", { className: "try-note" }, word("No body."))];
  let kind = answerKind(type);
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] || "utf-8";
  let text = ["json", "text", "unknown", "events"].includes(kind) ? decodeStrict(bytes, charset) : null;
  if (kind === "unknown") kind = text === null || /[\u0000-\u0008]/.test(text) ? "binary" : /^\s*[[{]/.test(text) ? "json" : "text";
  if (kind === "json" && text !== null) {
    try {
      const value = readJSON(text);
      return [jsonView(value) || preText(writeJSON(value))];
    } catch { return [preText(text)]; }
  }
  if (kind === "text" && text !== null) return [preText(text)];
  if (["image", "audio", "video"].includes(kind)) {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    urls.push(url);
    return [kind === "image" ? make("img", { className: "try-picture", src: url, alt: "Image returned by the API" }) : make(kind as "audio" | "video", { className: "try-picture", src: url, controls: true })];
  }
  return [make("p", { className: "try-note" }, "The response is binary. The first bytes:"), preText(hexView(bytes))];
};

// EventList shows a stream of events as they arrive.
class EventList {
  readonly element = make("ol", { className: "try-events", tabIndex: 0, "aria-label": "Events" });
  private rest = "";
  private decoder = new TextDecoder();
  take(bytes: Uint8Array<ArrayBuffer>) {
    this.rest += this.decoder.decode(bytes, { stream: true });
    const blocks = this.rest.split(/\r\n\r\n|\n\n|\r\r/);
    this.rest = blocks.pop() ?? "";
    for (const block of blocks) this.add(block);
  }
  private add(block: string) {
    const fields = block.split(/\r\n|\n|\r/).filter((l) => l && !l.startsWith(":")).map((l) => /^([^:]*):? ?(.*)$/s.exec(l)!.slice(1));
    const data = fields.filter(([name]) => name === "data").map(([, value]) => value).join("\n");
    const name = fields.find(([n]) => n === "event")?.[1];
    if (!data && !name || this.element.childElementCount >= 2000) return;
    this.element.append(make("li", {}, ...name ? [span("try-event", name)] : [], make("code", {}, data)));
    this.element.lastElementChild?.scrollIntoView({ block: "nearest" });
  }
}

// ResponseView is the part of the panel that shows the response.
export class ResponseView {
  readonly element: HTMLElement;
  private urls: string[] = [];
  private line = make("div", { className: "try-status", role: "status" });
  private tools = make("div", { className: "try-tools" });
  private place = make("div", { className: "try-answer-body" });

  constructor() {
    this.element = make("section", { className: "try-answer", "aria-label": word("Response") },
      make("div", { className: "try-bar" }, make("h3", {}, word("Response")), this.line, this.tools), this.place);
    this.idle();
  }

  clear() { for (const url of this.urls) URL.revokeObjectURL(url); this.urls = []; this.tools.replaceChildren(); this.line.replaceChildren(); }
  idle() { this.clear(); this.place.replaceChildren(make("p", { className: "try-empty" }, "Send the request to see the response.")); }
  wait(way: boolean) { this.clear(); this.line.append(make("span", { className: "try-busy" }, way ? "Sending through this site…" : "Sending…")); this.place.replaceChildren(make("p", { className: "try-empty" })); }
  fail(message: string, advice?: string) {
    this.clear();
    this.line.append(make("span", { className: "try-failed" }, "No response"));
    this.place.replaceChildren(make("div", { className: "try-problem", role: "alert" }, make("strong", {}, message), ...advice ? [make("p", {}, advice)] : []));
  }

  // show reads the whole response and renders it. Events are rendered as they arrive, and alive is called for each piece.
  async show(answer: Answered, name: string, alive: () => void) {
    const type = answer.headers.find(([n]) => n.toLowerCase() === "content-type")?.[1] || "";
    this.clear();
    const status = make("span", { className: "api-status", dataset: { class: String(answer.status)[0] } }, `${answer.status} ${STATUS[answer.status] || answer.words}`.trim());
    const facts = make("span", { className: "try-facts" }, timeWords(answer.time));
    this.line.append(status, facts);
    const events = answerKind(type) === "events" ? new EventList() : null;
    const heads = make("details", { className: "try-more try-heads" }, make("summary", {}, `${answer.headers.length} headers`),
      make("table", {}, make("tbody", {}, ...answer.headers.map(([n, v]) => make("tr", {}, make("th", { scope: "row" }, n), make("td", {}, v))))));
    const box = make("div");
    const notes = [...answer.fewer ? [make("p", { className: "try-note" }, "The API sent more headers than the proxy forwards.")] : [], ...answer.url ? [make("p", { className: "try-note" }, "The API redirected to " + answer.url)] : [], ...answer.relayed ? [] : answer.headers.length < 3 ? [make("p", { className: "try-note" }, "Browsers show only the headers that the API lets other sites read.")] : []];
    this.place.replaceChildren(heads, ...notes, ...events ? [events.element] : [], box);
    const bytes = await this.read(answer.body, events, alive);
    const { limit = Infinity } = answer;
    if (bytes.length >= limit) this.line.append(make("span", { className: "try-failed" }, "cut off at " + sizeWords(limit)));
    facts.textContent = timeWords(answer.time) + " · " + sizeWords(bytes.length);
    if (!events || !events.element.childElementCount) box.replaceChildren(...bodyView(bytes, type, this.urls));
    if (bytes.length) this.offer(bytes, type, name);
  }

  async read(stream: ReadableStream<Uint8Array<ArrayBuffer>> | null, events: EventList | null, alive: () => void) {
    if (!stream) return new Uint8Array();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        if (events) { alive(); events.take(value); }
      }
    } catch (error) { // show what arrived before the error
      this.line.append(make("span", { className: "try-failed" }, "cut off"));
      if (!parts.length) throw error;
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  offer(bytes: Uint8Array<ArrayBuffer>, type: string, name: string) {
    const text = ["json", "text", "unknown", "events"].includes(answerKind(type)) && decodeStrict(bytes);
    if (text) this.tools.append(iconButton("copy", word("Copy"), async () => say(word(await copyText(text) ? "Copied" : "Could not copy"))));
    this.tools.append(iconButton("save", "Download", () => {
      const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
      make("a", { href: url, download: name + "." + extension(type) }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    }));
  }
}
