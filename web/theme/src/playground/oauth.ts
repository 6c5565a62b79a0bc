// OAuth 2.0: tokens by client credentials or password, or pasted. ask sends a call in the way that the reader chose.
import { all, make } from "../page/page";
import { basicOf, safe, secretField } from "./auth";
import type { Place, Shelf } from "./auth";
import { originOf } from "./call";
import { textButton } from "./field";
import type { Form } from "./field";
import type { Scheme } from "./plan";
import { encodeStrict } from "./style";
import { Refused } from "./transport";
import type { Answered, Call, Header } from "./transport";

type Secret = ReturnType<typeof secretField>;
interface Fields { user: Secret; secret2: Secret; id: Secret; secret: Secret }
interface Token { access_token: string; expires_in?: number }

const OAUTH_WAYS: Record<string, string> = { clientCredentials: "Client credentials", password: "Password", paste: "Paste a token" };

// oauthBody returns the body of a token request. The client authenticates in a header or in the body.
const oauthBody = (way: string, fields: Fields, scopes: string[], inHeader: boolean) => {
  const list: [name: string, value: string][] = [["grant_type", way === "password" ? "password" : "client_credentials"]];
  if (way === "password") list.push(["username", fields.user.get()], ["password", fields.secret2.get()]);
  if (scopes.length) list.push(["scope", scopes.join(" ")]);
  if (!inHeader && fields.id.get()) list.push(["client_id", fields.id.get()], ...fields.secret.get() ? [["client_secret", fields.secret.get()] as [string, string]] : []);
  return list.map(([name, value]) => ({ name, value }));
};

const readToken = async (answer: Answered): Promise<Token> => {
  const text = answer.body ? await new Response(answer.body).text() : "";
  let told = null;
  try { told = JSON.parse(text); } catch { /* reported below */ }
  if (answer.status >= 300 || !told?.access_token) throw new Refused(`The token endpoint returned status ${answer.status}${told?.error ? ": " + (told.error_description || told.error) : ""}.`);
  return told;
};

// tokenPlace tells the reader where the secrets are sent, with warnings.
const tokenPlace = (url: string, origin: string) => {
  const place = originOf(url);
  const bare = /^http:/i.test(place) && !/^http:\/\/(localhost|127\.[\d.]+|\[::1\])(:|$)/i.test(place);
  return [make("p", { className: "try-note try-to" }, "Credentials are sent to ", make("code", {}, place), "."),
    ...place !== origin ? [make("p", { className: "try-wrong" }, "This is not the API's host. Continue only if you trust it.")] : [],
    ...bare ? [make("p", { className: "try-wrong" }, "The connection is not encrypted: others can intercept them.")] : []];
};

export const oauthControl = (form: Form, key: string, scheme: Scheme, { spec, origin, ask }: Place) => {
  const flows = scheme.flows || {};
  const ways = [...["clientCredentials", "password"].filter((w) => flows[w]?.tokenUrl), "paste"];
  const pick = make("select", { className: "try-input", id: form.id() }, ...ways.map((w) => make("option", { value: w }, OAUTH_WAYS[w])));
  const shelf = safe.shelf(spec, origin);
  const token = secretField(form, shelf, key + ".token", { name: "Access token" });
  // The client's credentials belong to the token endpoint, and may differ between flows.
  const fieldsFor = (to: Shelf): Fields => ({
    user: secretField(form, to, key + ".user", { name: "User name" }, true), secret2: secretField(form, to, key + ".password", { name: "Password" }),
    id: secretField(form, to, key + ".client", { name: "Client ID" }, true), secret: secretField(form, to, key + ".secret", { name: "Client secret" }),
  });
  let fields: Fields | null = null;
  const how = make("select", { className: "try-input", id: form.id() }, make("option", { value: "header" }, "In a Basic header"), make("option", { value: "body" }, "In the body"));
  const status = make("p", { className: "try-note", role: "status" });
  const boxes = make("div", { className: "try-scopes", role: "group", "aria-label": "Scopes" });
  const place = make("div", { className: "try-fields" });
  const chosen = () => all<HTMLInputElement>("input:checked", boxes).map((b) => b.value);

  const fetchToken = async () => {
    const way = pick.value;
    const url = flows[way]?.tokenUrl;
    if (!fields || !url) return;
    const inHeader = how.value === "header" && fields.id.get() !== "";
    status.textContent = "Requesting a token…";
    try {
      const proof: Header[] = inHeader ? [["Authorization", basicOf(encodeStrict(fields.id.get()), encodeStrict(fields.secret.get()))]] : [];
      const call: Call = { method: "POST", url, cookies: [], headers: [["Accept", "application/json"], ...proof],
        body: { kind: "form", type: "application/x-www-form-urlencoded", fields: oauthBody(way, fields, chosen(), inHeader) } };
      const told = await readToken(await ask(call));
      token.input.value = told.access_token;
      shelf.set(key + ".token", told.access_token);
      const until = told.expires_in && told.expires_in > 0 && new Date(Date.now() + told.expires_in * 1000);
      status.textContent = until ? `Token received, valid until ${until.toLocaleTimeString()}.` : "Token received.";
    } catch (error) {
      status.textContent = error instanceof Refused ? [error.message, error.advice].filter(Boolean).join(" ") : "No token was received.";
    }
    form.changed();
  };

  const show = () => {
    const way = pick.value;
    const flow = flows[way];
    const url = flow?.tokenUrl ?? "";
    const own = flow ? fields = fieldsFor(safe.shelf(spec, originOf(url))) : null;
    const declared = Object.entries(flow?.scopes || {});
    boxes.replaceChildren(...declared.map(([name, what]) => make("label", { className: "try-check", title: what || "" }, make("input", { type: "checkbox", value: name, checked: (scheme.scopes || []).includes(name) }), name)));
    const asks = !own ? [] : [
      ...way === "password" ? [own.user.element, own.secret2.element] : [], own.id.element, own.secret.element,
      make("div", { className: "try-field" }, make("div", { className: "try-head" }, make("label", { className: "try-name", htmlFor: how.id }, "Client authentication")), how),
      ...declared.length ? [boxes] : [],
      ...tokenPlace(url, origin),
      make("div", { className: "try-line" }, textButton("", "Get a token", fetchToken, "try-token"), status),
    ];
    const signIn = Object.values(flows).map((f) => f.authorizationUrl).find(Boolean);
    place.replaceChildren(...asks, token.element, ...way === "paste" && signIn ? [make("p", { className: "try-note" }, "Sign in at " + signIn + " and paste the token.")] : []);
  };
  pick.addEventListener("change", () => { show(); form.changed(); });
  show();
  const choose = ways.length > 1 ? [make("label", { className: "try-unseen", htmlFor: pick.id }, "How to get a token"), pick] : [];
  return { element: make("div", { className: "try-fields" }, ...choose, place), token: token.get };
};
