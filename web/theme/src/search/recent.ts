// What the reader searched for lately, on this site and in this browser only.
import { recall, remember } from "../page/page";

const KEY = "lectern-recent";
const LIMIT = 6;
let kept: string[] | null = null; // for browsers that keep nothing
const list = () => {
  const known = recall(KEY) ?? kept;
  return Array.isArray(known) ? known.filter((t) => typeof t === "string" && t.length <= 200).slice(0, LIMIT) : [];
};
const put = (texts: string[]) => { kept = texts; remember(KEY, texts); };
export const recent = {
  list,
  add: (text: string) => { if (text.trim()) put([text.trim(), ...list().filter((t) => t !== text.trim())].slice(0, LIMIT)); },
  clear: () => put([]),
};
