// The row that passes a query to the assistant. assistant/start.ts sets it; sites without an assistant have no such row.
export const question: {
  row?: (text: string) => HTMLAnchorElement[]; // empty on a page without the assistant's button
  ask?: (text: string) => void;
} = {};
