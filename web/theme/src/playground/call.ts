// Builds a call from the form's values: a URL, headers, cookies, a body.
import type { Value } from "./json";
import type { Plan, Server, Styled } from "./plan";
import type { SampleRequest } from "./samplequote";
import { encodeStrict, inCookie, inHeader, inPath, inQuery } from "./style";
import { wireBody } from "./transport";
import type { Body, Call, Header } from "./transport";

// Proof is a credential in a call.
export interface Proof { in: string; name: string; value: string }
// Parts holds the values of a form.
export interface Parts { server: string; parameters: { p: Styled; get: () => Value | undefined }[]; proof: Proof[]; body: Body }

// MASK replaces a secret when a call is shown.
export const MASK = "••••••••";

export const serverURL = (server: Server, values: Record<string, string>) => server.url.replace(/\{([^{}]+)\}/g, (mark: string, name: string) => values[name] ?? mark).replace(/\/+$/, "");

// originOf returns the origin of a URL, or the text itself if it is not a URL.
export const originOf = (url: string) => { try { return new URL(url, document.baseURI).origin; } catch { return url; } };

// dots counts the dot segments of a path, plain or encoded, which browsers and servers resolve.
const dots = (path: string) => path.split("/").filter((part) => /^(\.|%2e){1,2}$/i.test(part)).length;

// makeCall builds a call from the parts of a form. Missing path parameters stay as {name}. If values would lead to another path, the call is
// marked as folded: it is shown but never sent.
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

// sampleOfCall converts a call to the form for samples.
export const sampleOfCall = (call: Call): SampleRequest => {
  const headers = call.headers.map(([name, value]) => ({ name, value }));
  if (call.cookies.length) headers.push({ name: "Cookie", value: call.cookies.join("; ") });
  return { method: call.method, url: call.url, headers, body: sampleOfBody(call.body) };
};
const sampleOfBody = (b: Body): SampleRequest["body"] => {
  if (b.kind === "none") return { kind: b.kind, type: "", text: "", fields: [] };
  const fields = "fields" in b ? b.fields : [];
  if (b.kind === "form" && fields.some((f) => f.ready)) { // languages would encode it differently
    return { kind: "text", type: b.type, text: String(wireBody(b).data), fields: [] };
  }
  return {
    kind: b.kind, type: b.type, text: "text" in b ? b.text : "", value: b.kind === "json" ? b.value : undefined,
    fields: fields.map((f) => ({ name: f.name, value: f.value, file: !!f.file })),
  };
};
