// What the parts of the assistant tell each other.
// Site is what it knows of the site and of the page that is shown. Addresses are whole.
export interface Site {
  root: string;
  api: string; // "" = no server answers
  suffix?: string; // of the files of pages
  path?: string; // of the page
  language: string;
  version: string;
  engine?: string;
  index?: string;
  title?: string;
  away?: boolean; // shown on another site
}
export type Phrase = (english: string) => string;

// Context is a text of the page that a question is about.
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

// SentMessage is a message as the one who answers is told it.
export interface SentMessage { id: string; role: string; parts: { type: string; text: string }[] }
export interface Question { messages: SentMessage[]; threadId: string; context: Context[] }
// Part is a piece of an answer, of the type that it names. It comes from outside: each field is looked at before it is used.
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
  rate: ((rating: Rating) => Promise<void>) | null; // null = nobody would hear it
}

// Opening says what the assistant is opened for, and by which element.
export interface Opening { context?: Context | null; from?: HTMLElement | null }
// Assistant is the panel as start.ts calls it, which is part of every page: the rest is loaded when a reader first asks.
export interface Assistant {
  open: (how?: Opening) => void;
  toggle: (how?: Opening) => void;
  ask: (question: string, from: HTMLElement | null) => void;
  linked: (question: string, own: boolean) => void;
  resume: () => void;
}
