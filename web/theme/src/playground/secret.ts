// Recognizes values that may be secrets, which the history must not store.
import type { Value } from "./json";
import type { Book } from "./schema";

const SECRET = /passw(or)?d|passphrase|passcode|passkey|secret|token|credential|(api|access|private|signing|master|account|subscription|encryption|client|session|auth|x)key|authori[sz]ation|authent|jwt|bearer|session|signature|cookie/;
const SECRET_WORD = /\b(pass|pwd|pin|auth|otp|totp|mfa|cvv|cvc|sid|sig|csrf|ssn)\d*\b/;

// secretName reports whether a name indicates a secret, or a text contains such a name.
export const secretName = (name: string) => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return SECRET.test(words.replace(/[-_. ]/g, "")) || SECRET_WORD.test(words.replace(/_/g, " "));
};

// alike returns schemas and all their alternatives without duplicates.
const alike = (book: Book, list: (number | undefined)[]) => {
  const seen = new Set(list.filter((n) => n !== undefined));
  for (const n of seen) for (const option of book.at(n).options || []) seen.add(option);
  return [...seen].map((n) => book.at(n));
};

// without removes possible secrets from a value, and returns undefined if nothing is left. The value may match any of the
// schemas.
export const without = (book: Book, schemas: (number | undefined)[], v: Value | undefined, name = ""): Value | undefined => {
  const all = alike(book, schemas);
  if (v === undefined || all.some((s) => s.format === "password") || secretName(name)) return undefined;
  if (Array.isArray(v)) return v.map((item) => without(book, all.map((s) => s.items), item, name)).filter((item) => item !== undefined);
  if (!(v instanceof Map)) return v;
  const out = new Map<string, Value>();
  for (const [key, item] of v) {
    const kept = without(book, all.map((s) => (s.properties || []).find((p) => p.name === key)?.schema ?? s.additional), item, key);
    if (kept !== undefined) out.set(key, kept);
  }
  return out;
};
