// Notes are what the author may want to know about a call.
const maxNotes = 20;
export let notes: string[] = []; // of the current call

export function note(text: string): void {
  if (notes.length < maxNotes && !notes.includes(text)) notes[notes.length] = text;
}

export function clearNotes(): void {
  notes = [];
}
