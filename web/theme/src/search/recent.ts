// The reader's recent searches on this site, stored only in this browser.
import { recall, remember } from "../page/page";

const KEY = "lectern-recent";
const LIMIT = 6;
let kept: string[] | null = null; // if storage is blocked
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
