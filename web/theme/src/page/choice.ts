// The reader's choices in tabs and language menus, by title: the same title is selected again, on this page and later ones.
import { recall, remember } from "./page";

const KEY = "lectern-tabs";
const LIMIT = 30; // remembered titles, newest first
const known = () => { const list = recall(KEY); return Array.isArray(list) ? list.filter((t): t is string => typeof t === "string") : []; };

export interface Chosen { title: string; from: unknown }

// chosenOf returns the index of the most recently chosen title, or -1 if none of them was chosen.
export const chosenOf = (titles: string[]) => {
  const title = known().find((t) => titles.includes(t));
  return title === undefined ? -1 : titles.indexOf(title);
};

// choose remembers a title and notifies other tabs on the page.
export const choose = (title: string, from: unknown) => {
  remember(KEY, [title, ...known().filter((t) => t !== title)].slice(0, LIMIT));
  document.dispatchEvent(new CustomEvent<Chosen>("lectern-tab", { detail: { title, from } }));
};

export const onChoice = (follow: (chosen: Chosen) => void) =>
  document.addEventListener("lectern-tab", (event) => follow((event as CustomEvent<Chosen>).detail));
