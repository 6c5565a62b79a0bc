// Decodes server-sent events to their JSON values, one per event. It skips comments, events without data, and data that is not JSON. [DONE]
// ends the stream.
import type { Part } from "./site";

const MOST = 1 << 20; // characters of one event
// lines splits received text at \n, \r\n and \r. It keeps an incomplete last line.
const lines = (state: { rest: string }, text: string, last: boolean) => {
  state.rest += text;
  const out: string[] = [];
  for (;;) {
    const at = state.rest.search(/[\r\n]/);
    if (at < 0 || state.rest[at] === "\r" && at + 1 === state.rest.length && !last) break; // \n may follow
    out.push(state.rest.slice(0, at));
    state.rest = state.rest.slice(at + (state.rest.startsWith("\r\n", at) ? 2 : 1));
  }
  if (state.rest.length > MOST) throw new Error("The answer is malformed.");
  return out;
};
const value = (data: string): Part | null | undefined => {
  if (data === "[DONE]") return null;
  try {
    const part = JSON.parse(data);
    return part && typeof part === "object" ? part : undefined;
  } catch { return undefined; }
};

export const readEvents = async function* (body: ReadableStream<Uint8Array>): AsyncGenerator<Part> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const state = { rest: "" };
  let data: string | null = null; // lines of the event so far
  try {
    for (let done = false; !done;) {
      const piece = await reader.read();
      done = piece.done;
      const text = decoder.decode(piece.value || new Uint8Array(), { stream: !done });
      for (const line of lines(state, done ? text + "\n\n" : text, done)) {
        const [, field, content] = /^([^:]*):? ?([^]*)$/.exec(line)!;
        if (field === "data") data = data === null ? content : data + "\n" + content;
        if (line !== "" || data === null) continue;
        const part = value(data);
        data = null;
        if (part === null) return;
        if (part) yield part;
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // also if the caller stops early
  }
};
