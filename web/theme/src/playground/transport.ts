// Sends requests: directly from the browser, or through the proxy of the site's server.
import type { Value } from "./json";
import { encodeStrict } from "./style";

// FormField is a member of a form; ready is the pair as written in an encoded form.
export interface FormField { name: string; value: string; type?: string; file?: File; ready?: string }
export type Body =
  | { kind: "none" }
  | { kind: "json"; type: string; text: string; value: Value }
  | { kind: "text"; type: string; text: string }
  | { kind: "file"; type: string; file: File }
  | { kind: "form" | "multipart"; type: string; fields: FormField[] };
export type Header = [name: string, value: string];
export interface Call { method: string; url: string; headers: Header[]; cookies: string[]; body: Body; folded?: boolean }

// Wire is a call as it is sent, Answered the response.
interface Wire { method: string; url: string; headers: Header[]; data: string | Blob | undefined }
export interface Answered {
  status: number;
  words: string;
  headers: Header[];
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  time: number; // milliseconds
  url?: string; // the URL after redirects
  relayed?: boolean;
  limit?: number; // maximum bytes that the proxy forwards
  fewer?: boolean; // the proxy omitted headers
}

export const TIMEOUT = 60_000; // milliseconds
// Headers that only browsers may set, not scripts.
export const FORBIDDEN = /^(accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i;

export const base64 = (bytes: Uint8Array) => { let text = ""; for (const b of bytes) text += String.fromCharCode(b); return btoa(text); };
export const utf8 = (text: string) => new TextEncoder().encode(text);
const packed = (value: unknown) => base64(utf8(JSON.stringify(value))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const unpacked = (text: string): Header[] => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0))));

// wireBody returns the body as sent, with its type.
export const wireBody = (body: Body): { data: string | Blob | undefined; type: string } => {
  switch (body.kind) {
    case "json": case "text": return { data: body.text, type: body.type };
    case "file": return { data: body.file, type: body.type };
    case "form": return { data: body.fields.map((f) => f.ready ?? encodeStrict(f.name) + "=" + encodeStrict(f.value)).join("&"), type: body.type };
    case "multipart": return multipart(body);
  }
  return { data: undefined, type: "" };
};

const multipart = (body: { type: string; fields: FormField[] }) => {
  const boundary = "lectern-" + [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
  const safe = (text: string) => text.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
  const parts = body.fields.flatMap((f) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${safe(f.name)}"${f.file ? `; filename="${safe(f.file.name)}"` : ""}\r\n${f.type ? `Content-Type: ${f.type.replace(/[\r\n]/g, " ")}\r\n` : ""}\r\n`,
    f.file || f.value, "\r\n",
  ]);
  return { data: new Blob([...parts, `--${boundary}--\r\n`]), type: body.type + "; boundary=" + boundary };
};

// Refused is a failure with a message for the reader.
export class Refused extends Error {
  constructor(message: string, readonly advice = "") { super(message); }
}

// direct sends the request to the API.
const direct = async (call: Wire, signal: AbortSignal, credentials: boolean | undefined): Promise<Answered> => {
  const headers = new Headers();
  for (const [name, value] of call.headers) {
    if (FORBIDDEN.test(name)) continue;
    try { headers.append(name, value); } catch { throw new Refused(`The header “${name}” has a name or value that cannot be sent.`, "Headers may only contain Latin letters, digits and symbols."); }
  }
  if (/^(GET|HEAD)$/.test(call.method) && call.data !== undefined) throw new Refused("Browsers do not send a body with " + call.method + ".", "Send it without a body, or use a code sample in a terminal.");
  if (/^(TRACE|CONNECT)$/.test(call.method)) throw new Refused("Browsers do not send " + call.method + " requests.", "Use a code sample in a terminal.");
  const started = performance.now();
  let answer: Response;
  try {
    answer = await fetch(call.url, { method: call.method, headers, body: call.data, credentials: credentials ? "include" : "omit", cache: "no-store", referrerPolicy: "no-referrer", signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw blocked(call.url);
  }
  return { status: answer.status, words: answer.statusText, headers: [...answer.headers], body: answer.body, time: performance.now() - started, url: answer.redirected ? answer.url : "" };
};

// blocked explains why the browser returned no response. Browsers do not report which of the reasons applies.
const blocked = (url: string) => {
  const mixed = location.protocol === "https:" && /^http:/i.test(url) && !/^http:\/\/(localhost|127\.)/i.test(url);
  if (mixed) return new Refused("A page loaded over HTTPS may not call an API over plain HTTP.", "Choose a server with HTTPS, or use a code sample in a terminal.");
  return new Refused("The browser could not read a response from " + new URL(url, document.baseURI).host + ".",
    "Either the API cannot be reached from here, or it does not allow pages of " + (location.protocol === "file:" ? "files on this computer" : location.origin) +
    " to read its answers (CORS). The API’s operator can allow it with the header Access-Control-Allow-Origin; the samples work without it.");
};

// relayed sends the request through the site's server.
const relayed = async (call: Wire, signal: AbortSignal, proxyURL: string): Promise<Answered> => {
  let answer: Response;
  const started = performance.now();
  try {
    answer = await fetch(proxyURL, {
      method: "POST", credentials: "same-origin", cache: "no-store", signal, body: call.data ?? "",
      headers: { "Content-Type": "application/octet-stream", "Lectern-Target": call.url, "Lectern-Method": call.method, "Lectern-Headers": packed(call.headers) },
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refused("This site's proxy did not respond.", "Turn “Through this site” off to call the API directly from the browser.");
  }
  const status = Number(answer.headers.get("Lectern-Status"));
  if (!answer.ok || !status) {
    let told = "";
    try { told = (await answer.json()).error; } catch { /* no message */ }
    throw new Refused(told || "This site's proxy returned status " + answer.status + ".", "Turn “Through this site” off to call the API directly from the browser.");
  }
  return { status, words: "", headers: unpacked(answer.headers.get("Lectern-Headers") || packed([])), body: answer.body, time: Number(answer.headers.get("Lectern-Time")) || performance.now() - started, relayed: true,
    limit: Number(answer.headers.get("Lectern-Limit")) || Infinity, fewer: answer.headers.has("Lectern-Headers-Cut") };
};

// request sends a call directly or through the proxy.
export const request = (call: Call, { proxyURL, credentials, signal }: { proxyURL: string; credentials?: boolean; signal: AbortSignal }): Promise<Answered> => {
  if (call.folded) throw new Refused("“.” and “..” cannot be a path segment.", "Browsers and servers resolve them, so the request would go to another path.");
  const { data, type } = wireBody(call.body);
  const headers = [...call.headers];
  if (type && !headers.some(([name]) => name.toLowerCase() === "content-type")) headers.push(["Content-Type", type]);
  if (call.cookies.length && proxyURL) headers.push(["Cookie", call.cookies.join("; ")]);
  const wire = { method: call.method, url: new URL(call.url, document.baseURI).href, headers, data };
  return proxyURL ? relayed(wire, signal, proxyURL) : direct(wire, signal, credentials);
};

// hasProxy checks whether the server of this page forwards requests.
export const hasProxy = async (proxyURL: string) => {
  if (!/^https?:$/.test(location.protocol)) return false;
  try {
    const answer = await fetch(proxyURL, { cache: "no-store", credentials: "same-origin" });
    return answer.status === 204 && answer.headers.get("Lectern-Proxy") === "1";
  } catch { return false; }
};
