// The row that passes a query on to the assistant. assistant/start.ts sets it on sites that have one; elsewhere there is no such row.
export const question: {
  row?: (text: string) => HTMLAnchorElement[]; // none on a page without the assistant's button
  ask?: (text: string) => void;
} = {};
