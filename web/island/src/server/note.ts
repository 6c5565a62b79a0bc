// Notes are messages about a call that may interest the author.
const maxNotes = 20;
export let notes: string[] = []; // of the current call

export function note(text: string): void {
  if (notes.length < maxNotes && !notes.includes(text)) notes[notes.length] = text;
}

export function clearNotes(): void {
  notes = [];
}
