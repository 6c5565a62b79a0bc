// Types that the parts of the assistant share. Site holds data about the site and the current page. URLs are absolute.
export interface Site {
  root: string;
  api: string; // "" = no server
  suffix?: string; // extension of page files
  path?: string; // path of the page
  language: string;
  version: string;
  engine?: string;
  index?: string;
  title?: string;
  away?: boolean; // shown on another site
}
export type Phrase = (english: string) => string;

// Context is a text on the page that a question refers to.
export interface Context { type: string; value: string; path?: string }
export interface Source { id: string; url: string; title: string }
export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
  sources: Source[];
  state: "" | "busy" | "stopped" | "failed";
  error?: string;
  helpful?: boolean;
  context?: Context[];
}

// SentMessage is a message in the form that Answerer gets.
export interface SentMessage { id: string; role: string; parts: { type: string; text: string }[] }
export interface Question { messages: SentMessage[]; threadId: string; context: Context[] }
// Part is a piece of an answer. It is untrusted, so each field is checked before use.
export interface Part {
  type?: unknown;
  messageId?: unknown;
  data?: { threadId?: unknown; mode?: unknown };
  delta?: unknown;
  url?: unknown;
  sourceId?: unknown;
  title?: unknown;
  errorText?: unknown;
  id?: unknown;
}
export interface Rating { threadId: string; messageId: string; helpful: boolean; comment?: string }
export interface Hello { mode?: unknown; questions?: unknown; feedback?: unknown }

// Answerer answers questions: a server, or the search engine.
export interface Answerer {
  hello: () => Promise<Hello>;
  ask: (question: Question, signal: AbortSignal) => AsyncGenerator<Part>;
  rate: ((rating: Rating) => Promise<void>) | null; // null = ratings are not supported
}

// Opening describes the context for which the assistant is opened, and the element that opens it.
export interface Opening { context?: Context | null; from?: HTMLElement | null }
// Assistant is the interface of the panel for start.ts. Every page has start.ts; the rest is loaded when a reader first
// opens the assistant.
export interface Assistant {
  open: (how?: Opening) => void;
  toggle: (how?: Opening) => void;
  ask: (question: string, from: HTMLElement | null) => void;
  linked: (question: string, own: boolean) => void;
  resume: () => void;
}
