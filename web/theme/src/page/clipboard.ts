// Copies text. Pages from disk or over plain HTTP may have no clipboard API; an invisible field is used instead.
import { make } from "./page";

const byField = (text: string) => {
  const field = make("textarea", { value: text, readOnly: true });
  field.style.cssText = "position:fixed;inset:0 auto auto 0;opacity:0";
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  let done = false;
  try { done = document.execCommand("copy"); } catch { /* reported by the result */ }
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
};
// text may be a promise: browsers accept it if this is called during the reader's click.
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
