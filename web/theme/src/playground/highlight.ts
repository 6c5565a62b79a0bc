// Highlights code with the same rules as the build: internal/render/highlight/portable.go writes them for this engine, and
// internal/render/apisample tests that both give the same result.
type Emit = null | string | [state: string] | { groups: Emit[] };
type Rule = [pattern: string, flags: string, emit: Emit, pops: number, pushes: string[]];
export interface Language { states: Record<string, number[]>; rules: Rule[]; break?: boolean }
export type Token = [kind: string, text: string];

const NAME = "_"; // a plain name, which has no colour
const compiled = new WeakMap<Rule, RegExp>();
const expression = (rule: Rule) => {
  let found = compiled.get(rule);
  if (!found) compiled.set(rule, found = new RegExp(rule[0], rule[1] + "y"));
  return found;
};

// read passes the tokens of a text to add. It throws an error if the rules fail.
const read = (language: Language, code: string, start: string, add: (kind: string, text: string) => void) => {
  const stack = [start];
  let at = 0, steps = 400 * (code.length + 64);
  const emit = (what: Emit, text: string, groups: string[]) => {
    if (what === null || !text) return;
    if (typeof what === "string") add(what, text);
    else if (Array.isArray(what)) read(language, text, what[0], add);
    else what.groups.forEach((part, i) => emit(part, groups[i + 1] ?? "", [groups[i + 1] ?? ""]));
  };
  const step = () => {
    const state = stack[stack.length - 1];
    for (const n of language.states[state]) {
      const rule = language.rules[n], re = expression(rule);
      re.lastIndex = at;
      const match = re.exec(code);
      if (!match) continue;
      at += match[0].length;
      const [, , what, pops, pushes] = rule;
      const top = stack[stack.length - 1];
      if (pops) stack.length = Math.max(0, stack.length - pops);
      stack.push(...pushes.map((name) => name || top));
      emit(what, match[0], match);
      return;
    }
    if (code[at] === "\n" && state !== "root") { stack.splice(0, stack.length, "root"); return; } // an unclosed string ends with its line
    const letter = String.fromCodePoint(code.codePointAt(at)!);
    at += letter.length;
    add("", letter);
  };
  while (at < code.length && stack.length) {
    if (--steps < 0 || stack.length > 5000) throw new Error("too much work");
    step();
  }
  if (at < code.length) add("", code.slice(at));
};

// tokensOf merges adjacent tokens of the same colour, merges white space with its neighbour, and marks a name before a bracket as a
// function.
export const tokensOf = (language: Language | undefined, code: string): Token[] => {
  if (!language) return [["", code]];
  const out: Token[] = [];
  let name = ""; // the last token, if it is a plain name
  const add = (kind: string, text: string) => {
    const last = out[out.length - 1];
    if (name && text[0] === "(" && last?.[0] === "" && last[1].endsWith(name)) {
      last[1] = last[1].slice(0, -name.length);
      if (!last[1]) out.pop();
      out.push(["f", name]);
    }
    name = kind === NAME ? text : "";
    let shown = kind === NAME ? "" : kind;
    const before = out[out.length - 1];
    if (shown && !text.trim() && before) shown = before[0];
    if (before?.[0] === shown) before[1] += text;
    else out.push([shown, text]);
  };
  const extra = language.break && !code.endsWith("\n");
  try { read(language, extra ? code + "\n" : code, "root", add); } catch { return [["", code]]; }
  if (extra && out.length) {
    const last = out[out.length - 1];
    last[1] = last[1].slice(0, -1);
    if (!last[1]) out.pop();
  }
  return out.map(([, text]) => text).join("") === code ? out : [["", code]];
};
