// Prints the contrast of the colours in a docs.json with their backgrounds, for the same pairs as the compatible API's
// own check. Arguments: the file, then the themes' background colours, light and dark ones.
import { readFileSync } from "node:fs";
import Color from "color";

const [file, ...papers] = process.argv.slice(2);
const { colors } = JSON.parse(readFileSync(file, "utf8"));
const pair = (what, a, b, least) => ({ pair: `${what}: ${a} on ${b}`, ratio: Color(a).contrast(Color(b)), least });
const rows = [pair("text of buttons", "#ffffff", colors.dark, 4.5)];
for (const paper of papers) {
  const text = Color(paper).isLight() ? colors.primary : colors.light;
  rows.push(pair("text", text, paper, 4.5));
  rows.push(pair("area of buttons", colors.dark, paper, 3)); // areas need less contrast than text, and no colour reaches 4.5 on both black and white
}
console.log(JSON.stringify(rows));
