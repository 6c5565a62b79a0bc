// What a reader chose from tabs and menus of languages, by title: the same title is chosen again, on this page and the next.
import { recall, remember } from "./page";

const KEY = "lectern-tabs";
const LIMIT = 30; // titles that are remembered, newest first
const known = () => { const list = recall(KEY); return Array.isArray(list) ? list.filter((t): t is string => typeof t === "string") : []; };

export interface Chosen { title: string; from: unknown }

// chosenOf is the place of the title that was chosen last, -1 when none of them was.
export const chosenOf = (titles: string[]) => {
  const title = known().find((t) => titles.includes(t));
  return title === undefined ? -1 : titles.indexOf(title);
};

// choose remembers a title and lets others on the page follow.
export const choose = (title: string, from: unknown) => {
  remember(KEY, [title, ...known().filter((t) => t !== title)].slice(0, LIMIT));
  document.dispatchEvent(new CustomEvent<Chosen>("lectern-tab", { detail: { title, from } }));
};

export const onChoice = (follow: (chosen: Chosen) => void) =>
  document.addEventListener("lectern-tab", (event) => follow((event as CustomEvent<Chosen>).detail));
