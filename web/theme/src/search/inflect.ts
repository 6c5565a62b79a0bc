// Search: other forms of an English word, such as verified and verification for verify. internal/build/searchindex/inflect.go is the same in Go:
// change both.
const forms = (stem: string, ...endings: string[]) => {
  const out = endings.map((e) => stem + e), n = stem.length;
  if (n > 3 && stem[n - 1] === stem[n - 2] && !endings[0]) out.push(stem.slice(0, -1)); // committed
  return out;
};
const regular = (w: string): string[] => {
  const n = w.length, last = w[n - 1];
  if (n < 4) return [];
  if (w.endsWith("ment") && n > 6) return [...regular(w.slice(0, -4)), w.slice(0, -4)];
  if (w.endsWith("ing") && n > 5) return forms(w.slice(0, -3), "", "e", "ed");
  if (w.endsWith("ied") && n > 5) return forms(w.slice(0, -3), "y", "ying", "ication");
  if (w.endsWith("ication") && n > 9) return forms(w.slice(0, -7), "y", "ying", "ied", "icate");
  if (w.endsWith("ed") && n > 4) return forms(w.slice(0, -2), "", "e", "ing");
  if (w.endsWith("ation") && n > 7) return forms(w.slice(0, -5), "", "e", "ate", "ing", "ed");
  if (w.endsWith("ion") && n > 5) return forms(w.slice(0, -3), "", "e", "ing", "ed");
  if (last === "e") return [...forms(w.slice(0, -1), "ing", "ed", "ion", "ation", "al"), w + "ment"];
  if (last === "y") return [...forms(w.slice(0, -1), "ying", "ied", "ication"), w + "ed", w + "ment"];
  return forms(w, "ing", "ed", "ion", "ation", last + "ing", last + "ed", "ment");
};
// Irregular verbs, by each form.
const IRREGULAR = new Map<string, string[]>();
for (const verb of ("begin began begun,break broke broken,bring brought,build built,buy bought,choose chose chosen,find found,forget forgot forgotten,give gave given," +
  "hide hid hidden,hold held,keep kept,know knew known,lose lost,make made,pay paid payment,run ran running,send sent,show shown,take took taken,write wrote written").split(",")) {
  const all = verb.split(" ");
  for (const form of all) IRREGULAR.set(form, all.filter((other) => other !== form));
}
export const inflections = (w: string): string[] => /^[a-z]+$/.test(w) ? [...regular(w), ...IRREGULAR.get(w) ?? []] : [];
