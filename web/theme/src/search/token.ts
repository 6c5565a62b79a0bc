// Search, first part: splits text into words. internal/build/searchindex/{fold,token,script}.go is the same in Go:
// change both.
import { COMPOUNDS } from "./compound";

export const OTHER = 0, WORD = 1, DENSE = 2, HANGUL = 3;
const MAX_TERM = 48, MAX_PARTS = 6, GROUP_PARTS = 10; // bytes of a term; parts of a name, of a group
const LETTER = /[\p{L}\p{M}\p{N}]/u;

const isDense = (c: number) => {
  if (c < 0xe00) return false;
  if (c < 0xf00) return (c >= 0xe01 && c <= 0xe4e && c !== 0xe3f) || (c >= 0xe81 && c <= 0xece);
  if (c < 0x3000) return (c >= 0x1000 && c <= 0x103f) || (c >= 0x1780 && c <= 0x17d3);
  if (c < 0xac00) {
    return (c >= 0x3005 && c <= 0x3007) || (c >= 0x3041 && c <= 0x30ff && c !== 0x30fb) || (c >= 0x31f0 && c <= 0x31ff) ||
      (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff);
  }
  return (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff66 && c <= 0xff9f) || (c >= 0x20000 && c <= 0x3ffff);
};
export const classOf = (c: number) => {
  if (c < 0x80) return ((c | 32) >= 97 && (c | 32) <= 122) || (c >= 48 && c <= 57) ? WORD : OTHER;
  if (c >= 0xac00 && c <= 0xd7a3) return HANGUL;
  if (isDense(c)) return DENSE;
  if ((c >= 0x3000 && c <= 0x303f) || c === 0x30fb) return OTHER;
  return LETTER.test(String.fromCodePoint(c)) ? WORD : OTHER;
};
const clings = (c: number) => c === 0xe31 || (c >= 0xe34 && c <= 0xe3a) || (c >= 0xe47 && c <= 0xe4e) ||
  c === 0xeb1 || (c >= 0xeb4 && c <= 0xebc) || (c >= 0xec8 && c <= 0xece) ||
  (c >= 0x102b && c <= 0x103e) || (c >= 0x17b4 && c <= 0x17d3) || c === 0xff9e || c === 0xff9f || c === 0x3099 || c === 0x309a;

const SPECIAL = new Map([["ß", "ss"], ["ẞ", "ss"], ["æ", "ae"], ["Æ", "ae"], ["œ", "oe"], ["Œ", "oe"], ["ø", "o"], ["Ø", "o"], ["đ", "d"], ["Đ", "d"],
  ["ð", "d"], ["Ð", "d"], ["ł", "l"], ["Ł", "l"], ["þ", "th"], ["Þ", "th"], ["ı", "i"], ["İ", "i"], ["ς", "σ"],
  ["أ", "ا"], ["إ", "ا"], ["آ", "ا"], ["ٱ", "ا"], ["ى", "ي"], ["ة", "ه"]]);
const leftOut = (c: number) => (c >= 0x591 && c <= 0x5c7 && c !== 0x5be && c !== 0x5c0 && c !== 0x5c3 && c !== 0x5c6) || (c >= 0x64b && c <= 0x65f) || c === 0x670 || c === 0x640;
const special = (s: string, c: number) => (leftOut(c) ? "" : SPECIAL.get(s));
// Converts one character, and only if its lower-case form is one character too, because the index was built like that.
const small = (s: string) => { const l = s.toLowerCase(); return l.length === s.length ? l : s; };
const fold = (c: number) => {
  if (c < 0x80) return String.fromCharCode(c >= 65 && c <= 90 ? c | 32 : c);
  const s = String.fromCodePoint(c);
  if (c >= 0x300 && c <= 0x36f) return "";
  if (!((c >= 0xc0 && c <= 0x6ff) || (c >= 0x1e00 && c <= 0x1fff) || (c >= 0xff00 && c <= 0xffef))) return small(s);
  const other = special(s, c);
  if (other !== undefined) return other;
  let out = "";
  for (const p of s.normalize("NFKD")) {
    const d = p.codePointAt(0)!;
    if ((d >= 0x300 && d <= 0x36f) || d === 0x3099 || d === 0x309a) continue;
    const o = special(p, d);
    out += o !== undefined ? o : small(p);
  }
  return out;
};

// Returns the singular of an English word.
const stem = (t: string) => {
  const n = t.length;
  if (n < 4 || t[n - 1] !== "s" || !/^[a-z]+$/.test(t)) return t;
  switch (t[n - 2]) {
    case "s": return t;
    case "u": case "i": case "a":
      if (n > 4) return t;
      break;
    case "e":
      if (n > 4 && t[n - 3] === "i") return t.slice(0, n - 3) + "y";
      if (n > 4 && (t[n - 3] === "x" || (n > 5 && /(ss|ch|sh)es$/.test(t)))) return t.slice(0, n - 2);
  }
  return t.slice(0, n - 1);
};
const COMMON = new Set(("a an and are as at be by can do doe for from has have how i if in into is it my of on or s should t that the then there thi to was we what " +
  "when where which will with you your").split(" "));
export const common = (t: string) => COMMON.has(t);
const WEAK = new Set(("but could did get give go got let lot make many me might much must need people please put so somebody someone something such their them they " +
  "thing those too us use used using very want way were while who why would").split(" "));
// Reports whether a word says little about the subject of a query: see weak in Go.
export const weak = (t: string) => WEAK.has(t);

// Returns the length of a text in UTF-8 bytes, the unit of the limits.
const bytes = (t: string) => {
  let n = 0;
  for (let i = 0; i < t.length; i++) {
    const c = t.charCodeAt(i);
    n += c < 0x80 ? 1 : c < 0x800 ? 2 : c >= 0xd800 && c <= 0xdfff ? 2 : 3;
  }
  return n;
};

// Emit receives one word of a text: its kind, its term in the index, and its position.
export type Emit = (kind: number, term: string, start: number, end: number) => void;

// tokens calls emit(kind, term, start, end) for each word of a text and its other forms. Kinds: part, joined, grouped, pair.
export const PART = 0, JOINED = 1, GROUPED = 2, PAIR = 3;
export const tokens = (text: string, emit: Emit) => {
  const at = (i: number) => text.codePointAt(i)!;
  const wide = (c: number) => (c > 0xffff ? 2 : 1);
  const wordAt = (i: number) => i < text.length && classOf(at(i)) === WORD;
  const isSmall = (i: number) => i < text.length && text[i] >= "a" && text[i] <= "z";
  const isBig = (i: number) => i < text.length && text[i] >= "A" && text[i] <= "Z";
  const splits = (i: number, last: number) => {
    if ((last >= 97 && last <= 122) || (last >= 48 && last <= 57)) return isSmall(i + 1) || isBig(i + 1);
    return last >= 65 && last <= 90 && isSmall(i + 1) && (isSmall(i + 2) || text[i + 1] !== "s");
  };
  let name = "", group = "", term = "";
  let before = "", plain = "", lastStart = 0, lastEnd = -1; // the last two words; position of the last one if it is a name by itself

  const part = (start: number, end: number) => {
    if (bytes(name) <= MAX_TERM) name += term;
    before = plain;
    plain = "";
    if (term && bytes(term) <= MAX_TERM) emit(PART, plain = stem(term), start, end);
    term = "";
    return 1;
  };
  const run = (start: number): [end: number, parts: number] => {
    let begin = start, last = 0, parts = 0, i = start;
    term = "";
    while (i < text.length) {
      const c = at(i);
      if (classOf(c) !== WORD) break;
      if (c >= 65 && c <= 90 && bytes(text.slice(begin, i)) > 1 && splits(i, last)) {
        parts += part(begin, i);
        begin = i;
      }
      term += fold(c);
      last = c;
      i += wide(c);
    }
    if (i === start + 1 && (last | 32) >= 97 && (last | 32) <= 122) {
      if (text[i] === "+" && text[i + 1] === "+") {
        term += "++";
        i += 2;
      } else if (text[i] === "#") {
        term += "#";
        i++;
      }
    }
    return [i, parts + part(begin, i)];
  };
  const oneName = (start: number): [end: number, parts: number] => {
    let i = start, parts = 0, n;
    name = "";
    for (;;) {
      [i, n] = run(i);
      parts += n;
      if (!((text[i] === "_" || text[i] === "-") && wordAt(i + 1))) break;
      i++;
    }
    if (parts > 1 && parts <= MAX_PARTS && bytes(name) <= MAX_TERM) emit(JOINED, name, start, i);
    return [i, parts];
  };
  // Returns the start of the next name of a group after a name that ends at i, or -1. Names may be in braces.
  const nextName = (i: number) => {
    if (text[i] === "}") i++;
    if (i >= text.length || !"./:@".includes(text[i])) return -1;
    if (text[++i] === "{") i++;
    return wordAt(i) ? i : -1;
  };
  const words = (start: number) => {
    let i = start, names = 0, parts = 0, n;
    group = "";
    for (;;) {
      [i, n] = oneName(i);
      names++;
      parts += n;
      group += name;
      const next = nextName(i);
      if (next < 0) break;
      i = next;
    }
    if (names > 1 && parts <= GROUP_PARTS && bytes(group) <= MAX_TERM) emit(GROUPED, group, start, i);
    if (parts === 1 && lastEnd === start - 1 && text[lastEnd] === " " && COMPOUNDS.has(before + " " + plain)) emit(JOINED, before + plain, lastStart, i);
    lastStart = start;
    lastEnd = parts === 1 ? i : -1;
    return i;
  };
  // Combines a separate voicing mark with the preceding Kana letter.
  const raised = (term: string, c: number) => {
    const up = c === 0xff9e || c === 0x3099 ? 1 : c === 0xff9f || c === 0x309a ? 2 : 0;
    const last = up && term ? term.charCodeAt(term.length - 1) : 0;
    return last >= 0x304b && last <= 0x30db ? term.slice(0, -1) + String.fromCharCode(last + up) : term + fold(c);
  };
  const characters = (start: number, kind: number): [end: number, chars: string[], from: number[]] => {
    const chars: string[] = [], from: number[] = [];
    let i = start;
    while (i < text.length) {
      const c = at(i);
      if (classOf(c) !== kind) break;
      if (!from.length || !clings(c)) {
        if (from.length === 200) break;
        chars.push("");
        from.push(i);
      }
      chars[chars.length - 1] = raised(chars[chars.length - 1], c);
      i += wide(c);
    }
    from.push(i);
    return [i, chars, from];
  };
  const dense = (start: number) => {
    const [i, chars, from] = characters(start, DENSE);
    const n = chars.length;
    if (n === 1) {
      emit(PART, chars[0], start, i);
      return i;
    }
    for (let c = 0; c + 1 < n; c++) emit(PART, chars[c] + chars[c + 1], from[c], from[c + 2]);
    emit(PAIR, chars[n - 1], from[n - 1], i);
    return i;
  };
  const hangul = (start: number) => {
    const [i, chars, from] = characters(start, HANGUL);
    const n = chars.length, whole = chars.join("");
    if (bytes(whole) <= MAX_TERM) emit(PART, whole, start, i);
    for (let c = 0; c + 1 < n && n > 2; c++) emit(PAIR, chars[c] + chars[c + 1], from[c], from[c + 2]);
    return i;
  };

  for (let i = 0; i < text.length;) {
    const c = at(i);
    switch (classOf(c)) {
      case WORD: i = words(i); break;
      case DENSE: i = dense(i); break;
      case HANGUL: i = hangul(i); break;
      default: i += wide(c);
    }
  }
};
