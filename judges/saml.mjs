// A SAML 2.0 identity provider with a few users, built with the library samlp. It prints its address when it starts
// listening. Arguments: files with its key and its certificate, then the addresses to which it may send responses.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import samlp from "samlp";

const [keyFile, certFile, ...known] = process.argv.slice(2);
const key = readFileSync(keyFile), cert = readFileSync(certFile);
const people = {
  writer: { id: "w-1", email: "writer@acme.example", name: "The writer", groups: ["writers", "readers"] },
  reader: { id: "r-1", email: "reader@acme.example", name: "The reader", groups: ["readers"] },
  nobody: { id: "n-1", email: "nobody@else.example", name: "Nobody", groups: [] },
};

function profile(person) {
  return {
    getClaims: () => ({ email: person.email, displayName: person.name, groups: person.groups }),
    getNameIdentifier: () => ({
      nameIdentifier: person.id, nameIdentifierFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    }),
  };
}
profile.prototype.metadata = [];

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// parseRequest returns the requester and the address for the response.
const parseRequest = (req) => new Promise((done, fail) =>
  samlp.parseRequest(req, (err, data) => (err ? fail(err) : done(data))));

async function signIn(req, res, issuer) {
  const asked = await parseRequest(req);
  const acs = asked?.assertionConsumerServiceURL;
  if (!known.includes(acs)) return res.writeHead(400).end(`unknown address ${acs}`);
  const person = people[req.query.person];
  res.setHeader("Content-Type", "text/html");
  if (!person) {
    const fields = ["SAMLRequest", "RelayState"].map((name) =>
      `<input type="hidden" name="${name}" value="${escaped(req.query[name] ?? "")}">`);
    return res.end(`<!doctype html><title>Sign in</title><form><label>Name <input name="person" id="person"></label>
      ${fields.join("")}<button id="sign-in">Sign in</button></form>`);
  }
  samlp.auth({
    issuer, cert, key, profileMapper: profile, destination: acs, recipient: acs, lifetimeInSeconds: 120,
    signResponse: req.query.sign !== "assertion", signAssertion: req.query.sign !== "response",
    signatureAlgorithm: "rsa-sha256", digestAlgorithm: "sha256",
    getUserFromRequest: () => person, getPostURL: (audience, dom, request, done) => done(null, acs),
  })(req, res, (err) => res.writeHead(500).end(String(err)));
}

const server = createServer((req, res) => {
  const base = `http://${req.headers.host}`, url = new URL(req.url, base);
  Object.assign(req, { query: Object.fromEntries(url.searchParams), protocol: "http", originalUrl: req.url });
  Object.assign(res, { set: res.setHeader, send: (body) => res.end(String(body)) });
  if (url.pathname === "/metadata") {
    return samlp.metadata({ issuer: base, cert, profileMapper: profile, redirectEndpointPath: "/sign-in",
      postEndpointPath: "/sign-in" })(req, res);
  }
  if (url.pathname === "/favicon.ico") return res.writeHead(204).end(); // browsers with a window request it
  if (url.pathname !== "/sign-in") return res.writeHead(404).end();
  signIn(req, res, base).catch((err) => res.writeHead(400).end(String(err)));
});
server.listen(0, "127.0.0.1", () => console.log(`listening at http://127.0.0.1:${server.address().port} now`));
