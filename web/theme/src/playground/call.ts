// A call is made of what the form holds: an address, headers, cookies, a body.
import type { Value } from "./json";
import type { Plan, Server, Styled } from "./plan";
import type { SampleRequest } from "./samplequote";
import { encodeStrict, inCookie, inHeader, inPath, inQuery } from "./style";
import { wireBody } from "./transport";
import type { Body, Call, Header } from "./transport";

// Proof is a part of a call that says who calls.
export interface Proof { in: string; name: string; value: string }
// Parts are what a form holds.
export interface Parts { server: string; parameters: { p: Styled; get: () => Value | undefined }[]; proof: Proof[]; body: Body }

// MASK stands for a secret where a call is shown.
export const MASK = "••••••••";

export const serverURL = (server: Server, values: Record<string, string>) => server.url.replace(/\{([^{}]+)\}/g, (mark: string, name: string) => values[name] ?? mark).replace(/\/+$/, "");

// originOf is where an address leads to; the address itself when it is none.
export const originOf = (url: string) => { try { return new URL(url, document.baseURI).origin; } catch { return url; } };

// dots counts the parts of a path that browsers and servers fold away, written as they are or encoded.
const dots = (path: string) => path.split("/").filter((part) => /^(\.|%2e){1,2}$/i.test(part)).length;

// makeCall writes the parts of a form into a call. Proof comes as parts; missing path parameters stay as {name}. A call whose values would lead
// to another path is marked as folded: it is shown, and never sent.
export const makeCall = (plan: Pick<Plan, "method" | "path">, { server, parameters, proof, body }: Parts): Call => {
  let path = plan.path;
  const query: string[] = [], headers: Header[] = [], cookies: string[] = [];
  for (const part of proof) {
    if (part.in === "query") query.push(encodeStrict(part.name) + "=" + (part.value === MASK || /^<.*>$/.test(part.value) ? part.value : encodeStrict(part.value)));
    else if (part.in === "cookie") cookies.push(encodeStrict(part.name) + "=" + (/[^\x21-\x7e]|[;,\s"\\]/.test(part.value) && part.value !== MASK ? encodeStrict(part.value) : part.value));
    else headers.push([part.name, part.value]);
  }
  for (const { p, get } of parameters) {
    const value = get();
    if (value === undefined) continue;
    if (p.in === "path") path = path.replaceAll("{" + p.name + "}", () => inPath(p, value));
    if (p.in === "query") query.push(...inQuery(p, value));
    if (p.in === "header") headers.push([p.name, inHeader(p, value)]);
    if (p.in === "cookie") cookies.push(...inCookie(p, value));
  }
  const address = server + path;
  const url = query.length ? address + (address.includes("?") ? "&" : "?") + query.join("&") : address;
  return { method: plan.method, url, headers, cookies, body, folded: dots(path) > dots(plan.path) };
};

// sampleOfCall is a call as samples write it.
export const sampleOfCall = (call: Call): SampleRequest => {
  const headers = call.headers.map(([name, value]) => ({ name, value }));
  if (call.cookies.length) headers.push({ name: "Cookie", value: call.cookies.join("; ") });
  return { method: call.method, url: call.url, headers, body: sampleOfBody(call.body) };
};
const sampleOfBody = (b: Body): SampleRequest["body"] => {
  if (b.kind === "none") return { kind: b.kind, type: "", text: "", fields: [] };
  const fields = "fields" in b ? b.fields : [];
  if (b.kind === "form" && fields.some((f) => f.ready)) { // languages would encode it in their own way
    return { kind: "text", type: b.type, text: String(wireBody(b).data), fields: [] };
  }
  return {
    kind: b.kind, type: b.type, text: "text" in b ? b.text : "", value: b.kind === "json" ? b.value : undefined,
    fields: fields.map((f) => ({ name: f.name, value: f.value, file: !!f.file })),
  };
};
