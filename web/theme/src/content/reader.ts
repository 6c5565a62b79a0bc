// Inserts values of the reader. Pages contain the content for unknown readers. If the reader is signed in, the server says so in a
// Server-Timing header of the page, and returns the reader's values only to this script. They are shown as text.
import { all, find, onPage } from "../page/page";

type Scalar = string | number | boolean | null;
type Code = Scalar | [string, ...Code[]];

const HEADER = "lectern-user";
const own = find<HTMLScriptElement>("script[src*='_lectern/theme.']")?.src;
const served = (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined)?.serverTiming
  ?.some((t) => t.name === HEADER) === true;

let asked: Promise<unknown> | undefined;
const ask = async (address: string): Promise<unknown> => {
  const response = await fetch(new URL("api/user", address), { cache: "no-store" });
  if (response.status !== 200) return {}; // 204: the reader is unknown
  return (await response.json() as { user?: unknown }).user;
};

const field = (user: unknown, path: Code[]): Scalar => {
  let at: unknown = user;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, String(name))) return null;
    at = Reflect.get(at, String(name));
  }
  return typeof at === "string" || typeof at === "number" || typeof at === "boolean" ? at : null;
};

const shown = (value: Scalar) => (typeof value === "string" || typeof value === "number" ? String(value) : "");

// compute implements the operations that internal/mdx/expr/later.go writes.
const compute = (code: Code, user: unknown): Scalar => {
  if (!Array.isArray(code)) return code;
  const [name, ...operands] = code;
  const value = (i: number) => compute(operands[i], user);
  switch (name) {
    case "user": return field(user, operands);
    case "??": return value(0) ?? value(1);
    case "||": return value(0) || value(1);
    case "&&": return value(0) && value(1);
    case "!": return !value(0);
    case "===": return value(0) === value(1);
    case "?": return value(0) ? value(1) : value(2);
    case "+": return operands.map((o) => shown(compute(o, user))).join("");
  }
  return null;
};

const fill = (user: unknown) => {
  for (const part of all("lectern-user[data-value]")) {
    const text = shown(compute(JSON.parse(part.dataset.value ?? "null") as Code, user));
    if (part.textContent !== text) part.textContent = text;
  }
  for (const part of all("lectern-user[data-if]")) part.hidden = !compute(JSON.parse(part.dataset.if ?? "null") as Code, user);
};

onPage(() => {
  if (!served || !own || !find("lectern-user")) return;
  asked ??= ask(own);
  asked.then(fill).catch((error: unknown) => { asked = undefined; console.warn(error); });
});
