// A conversation: questions and answers, stored in the session so that they are available on all pages. Views are notified of each change.
import type { Answerer, Context, Message, Part, SentMessage } from "./site";

// View is called with a changed message, or with null after all were removed.
type View = (message: Message | null) => void;
interface State { threadId: string; mode: string; messages: Message[]; linked: string; rates?: boolean }
export type Conversation = ReturnType<typeof conversation>;

export const conversation = (key: string, answerer: Answerer) => {
  const KEPT = 60; // messages
  const SENT = 20; // messages sent with a question
  const BYTES = 50000; // bytes of the sent messages
  let state: State = { threadId: "", mode: "", messages: [], linked: "" };
  let running: AbortController | null = null; // aborts the answer that is being streamed
  const views = new Set<View>();
  const id = () => [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");

  const save = () => { try { sessionStorage.setItem(key, JSON.stringify({ ...state, messages: state.messages.slice(-KEPT) })); } catch { /* kept only on this page */ } };
  const restore = () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
      if (!kept || !Array.isArray(kept.messages)) return;
      state = { ...state, ...kept };
      for (const m of state.messages) if (m.state === "busy") m.state = "stopped";
    } catch { /* none is stored */ }
  };
  restore();
  let waiting = 0;
  const changed = (message: Message | null) => {
    for (const view of views) view(message);
    if (!waiting) waiting = setTimeout(() => { waiting = 0; save(); }, 300);
  };
  addEventListener("pagehide", save);

  // history returns the messages to send: the newest ones that fit.
  const history = () => {
    const said: SentMessage[] = state.messages.filter((m) => m.text && m.state !== "failed" && m.state !== "busy").slice(-SENT).map((m) => ({ id: m.id, role: m.role, parts: [{ type: "text", text: m.text.slice(0, 8000) }] }));
    const size = (list: unknown) => new TextEncoder().encode(JSON.stringify(list)).length;
    while (said.length > 1 && size(said) > BYTES) said.shift();
    while (said.length > 1 && said[0].role !== "user") said.shift();
    return said;
  };
  const take = (message: Message, part: Part) => {
    if (part.type === "start" && typeof part.messageId === "string" && part.messageId) message.id = part.messageId;
    if (part.type === "data-thread" && part.data) Object.assign(state, { threadId: String(part.data.threadId || ""), mode: String(part.data.mode || "") });
    if (part.type === "text-delta" && typeof part.delta === "string") message.text += part.delta;
    if (part.type === "source-url" && typeof part.url === "string") message.sources.push({ id: String(part.sourceId), url: part.url, title: String(part.title || part.url) });
    if (part.type === "error") throw new Error(typeof part.errorText === "string" && part.errorText || "The answer was interrupted.");
  };
  const answer = async (context: Context[]) => {
    const messages = history();
    const message: Message = { id: id(), role: "assistant", text: "", sources: [], state: "busy" };
    const mine = running = new AbortController();
    state.messages.push(message);
    changed(message);
    try {
      let finished = false;
      for await (const part of answerer.ask({ messages, threadId: state.threadId, context }, mine.signal)) {
        if (mine.signal.aborted) break;
        take(message, part);
        finished ||= part.type === "finish";
        changed(message);
      }
      message.state = mine.signal.aborted ? "stopped" : "";
      if (!finished && !mine.signal.aborted) throw new Error("The answer was interrupted.");
    } catch (error) {
      message.state = mine.signal.aborted ? "stopped" : "failed";
      if (!mine.signal.aborted) message.error = (error as Error).message;
    }
    if (running === mine) running = null;
    changed(message);
  };

  return {
    get messages() { return state.messages; },
    get mode() { return state.mode; },
    get busy() { return running !== null; },
    get linked() { return state.linked; },
    set linked(address) { state.linked = address; save(); },
    get canRate() { return Boolean(answerer.rate) && state.rates !== false; },
    hello: async () => {
      const told = await answerer.hello();
      if (!state.mode) state.mode = String(told.mode || "");
      state.rates = told.feedback !== false; // a server without storage accepts none
      return Array.isArray(told.questions) ? told.questions.filter((q): q is string => typeof q === "string" && q.trim() !== "").slice(0, 3) : [];
    },
    watch: (view: View) => { views.add(view); return () => views.delete(view); },
    ask(text: string, context: Context[] = []) {
      if (running || !text.trim()) return;
      state.messages.push({ id: id(), role: "user", text: text.trim(), sources: [], state: "", ...(context.length && { context }) });
      answer(context);
    },
    stop: () => running?.abort(),
    // again repeats the last question, which got no answer.
    again() {
      const last = state.messages.at(-1);
      if (running || last?.role !== "assistant") return;
      state.messages.pop();
      answer(state.messages.at(-1)?.context || []);
    },
    clear() {
      running?.abort();
      running = null;
      state = { threadId: "", mode: state.mode, messages: [], linked: state.linked, rates: state.rates };
      changed(null);
    },
    async rate(message: Message, helpful: boolean, comment = "") {
      await answerer.rate?.({ threadId: state.threadId, messageId: message.id, helpful, ...(comment && { comment: comment.slice(0, 2000) }) });
      message.helpful = helpful;
      save();
    },
  };
};
