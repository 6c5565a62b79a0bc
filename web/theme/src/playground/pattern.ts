// Patterns from descriptions. They are untrusted, and some take forever on a text that nearly matches. Those are shown but not checked.
const PATTERN_STEPS = 2e7; // takes a browser some hundredths of a second

// patternWays returns the maximum number of ways to try a pattern at one position of a text: sequences multiply, alternatives add, and
// unlimited repetitions are tried with every length. It is Infinity for patterns whose number grows exponentially, and for syntax that it does
// not support.
const patternWays = (pattern: string, length: number) => {
  let at = 0;
  const take = (rule: RegExp) => { rule.lastIndex = at; const m = rule.exec(pattern); if (m) at += m[0].length; return m; };
  const one = (): number => {
    if (take(/\((\?(:|=|!|<=|<!|<[\w$]+>))?/y)) {
      const ways = either();
      return take(/\)/y) ? ways : Infinity;
    }
    // A set, an escape, or a character.
    return take(/\[(\\.|[^\]\\])*\]|\\(u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|[^])|[^()|[\\]/uy) ? 1 : Infinity;
  };
  const row = (): number => {
    let ways = 1;
    while (at < pattern.length && !"|)".includes(pattern[at])) {
      const each = one();
      if (each === Infinity) return each;
      const many = take(/([*+?])\??|\{(\d+)(,(\d*))?\}\??/y);
      if (!many) { ways *= each; continue; }
      const least = many[1] ? 0 : Number(many[2]);
      const most = many[1] ? many[1] === "?" ? 1 : Infinity : many[3] === undefined ? least : many[4] === "" ? Infinity : Number(many[4]);
      if (each > 1 && most === Infinity) return Infinity;
      ways *= (Math.min(most, length) - Math.min(least, length) + 1) * (each > 1 ? each ** most : 1);
    }
    return ways;
  };
  const either = (): number => {
    let ways = row();
    while (take(/\|/y)) ways += row();
    return ways;
  };
  const ways = either();
  return at === pattern.length ? ways : Infinity;
};

// misses reports whether a text does not match a pattern. It returns false for patterns that are not checked.
export const misses = (pattern: string, text: string) => {
  const starts = pattern.startsWith("^") && !pattern.includes("|") ? 1 : text.length + 1;
  if (pattern.length > 1000 || !(patternWays(pattern, text.length) * starts * (text.length + 1) <= PATTERN_STEPS)) return false;
  for (const flags of ["u", ""]) {
    try { return !new RegExp(pattern, flags).test(text); } catch { /* another dialect */ }
  }
  return false;
};
