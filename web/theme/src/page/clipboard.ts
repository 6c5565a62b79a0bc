// Copies text. Where the page came from a file or over plain HTTP, browsers may have no clipboard: an invisible field does it there.
import { make } from "./page";

const byField = (text: string) => {
  const field = make("textarea", { value: text, readOnly: true });
  field.style.cssText = "position:fixed;inset:0 auto auto 0;opacity:0";
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  let done = false;
  try { done = document.execCommand("copy"); } catch { /* told by the answer */ }
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
};
// text may be a promise: browsers take it as long as they were asked while the reader clicked.
export const copyText = async (text: string | Promise<string>) => {
  try {
    if (text instanceof Promise && window.ClipboardItem) {
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": text.then((t) => new Blob([t], { type: "text/plain" })) })]);
    } else await navigator.clipboard.writeText(await text);
    return true;
  } catch {
    try { return byField(await text); } catch { return false; }
  }
};
