// What was sent before, kept in this browser for each operation: without credentials and files.
const HISTORY_MAX = 20;
const SECRET = /passw(or)?d|passphrase|passcode|passkey|secret|token|credential|(api|access|private|signing|master|account|subscription|encryption|client|session|auth|x)key|authori[sz]ation|authent|jwt|bearer|session|signature|cookie/;
const SECRET_WORD = /\b(pass|pwd|pin|auth|otp|totp|mfa|cvv|cvc|sid|sig|csrf|ssn)\d*\b/;

// secretName tells whether a name says that its value is for nobody else; so does a text in which such a name stands.
const secretName = (name) => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return SECRET.test(words.replace(/[-_. ]/g, "")) || SECRET_WORD.test(words.replace(/_/g, " "));
};

// alike are schemas and all their alternatives, each once.
const alike = (book, list) => {
  const seen = new Set(list.filter((n) => n !== undefined));
  for (const n of seen) for (const option of book.at(n).options || []) seen.add(option);
  return [...seen].map((n) => book.at(n));
};

// without takes what looks like a secret out of a value; undefined when nothing is left. The value may be of any of the schemas.
const without = (book, schemas, v, name = "") => {
  const all = alike(book, schemas);
  if (v === undefined || all.some((s) => s.format === "password") || secretName(name)) return undefined;
  if (Array.isArray(v)) return v.map((item) => without(book, all.map((s) => s.items), item, name)).filter((item) => item !== undefined);
  if (!(v instanceof Map)) return v;
  const out = new Map();
  for (const [key, item] of v) {
    const kept = without(book, all.map((s) => (s.properties || []).find((p) => p.name === key)?.schema ?? s.additional), item, key);
    if (kept !== undefined) out.set(key, kept);
  }
  return out;
};

class Past {
  constructor(plan) { this.key = "lectern-try " + plan.method + " " + (plan.servers?.[0]?.url || "") + plan.path; }
  list() { const list = recall(this.key); return Array.isArray(list) ? list : []; }
  // add puts an entry first; the same request again takes the place of the older.
  add(entry) {
    const same = ({ at, status, ...rest }) => JSON.stringify(rest);
    remember(this.key, [entry, ...this.list().filter((e) => same(e) !== same(entry))].slice(0, HISTORY_MAX));
  }
  clear() { try { localStorage.removeItem(this.key); } catch { /* no storage */ } }
}

// pastView lists what was sent; load puts one back into the form.
const pastView = (past, load, close) => {
  const list = past.list();
  const item = (e) => make("li", {}, make("button", { type: "button", className: "try-past", onclick: () => load(e) },
    make("span", { className: "api-status", dataset: { class: String(e.status || "")[0] || "" } }, e.status ? String(e.status) : "—"),
    make("span", { className: "try-past-url" }, e.url), make("time", { className: "try-facts", dateTime: e.at }, new Date(e.at).toLocaleString())));
  return make("div", { className: "try-history" },
    make("div", { className: "try-bar" }, make("h3", {}, word("History")), make("div", { className: "try-tools" },
      ...list.length ? [textButton("trash", word("Clear"), () => { past.clear(); close(); }, "try-clear")] : [], iconButton("close", word("Close"), close))),
    list.length ? make("ul", {}, ...list.map(item)) : make("p", { className: "try-empty" }, "Nothing was sent yet."),
    make("p", { className: "try-note" }, "Kept in this browser only, without credentials and files."));
};
