// A button on each code block, next to the copy button, and the dialog in which readers report problems with the code.
import * as counter from "./count";
import { all, drawing, find, make, named, onPage, still } from "../page/page";

const FLAG = "M5 21V4M5 4h12l-2.500 4L17 12H5";
let dialog: HTMLDialogElement | undefined; // the open dialog, or the last one

const build = (label: string, { send, close }: DOMStringMap) => {
  const field = named("code-snippet-feedback-textarea", make("textarea", { className: "code-snippet-feedback-textarea", name: "comment", rows: 4, maxLength: 2000, required: true, "aria-label": label }));
  const code = make("code");
  const form = make("form", { method: "dialog", className: "code-snippet-feedback-form" }, field, make("div", { className: "feedback-row" },
    make("button", { type: "submit", className: "feedback-send code-snippet-feedback-form-submit-button", textContent: send }),
    make("button", { type: "button", className: "feedback-close", textContent: close, onclick: () => own.close() })));
  const note = make("p", { role: "status" });
  const own: HTMLDialogElement = make("dialog", { className: "feedback-dialog code-snippet-feedback-popover-content", dataset: { platform: "" }, "aria-label": label },
    make("h2", { className: "code-snippet-feedback-form-title", textContent: label }), make("pre", { tabIndex: 0, "aria-label": label }, code), form, note);
  own.addEventListener("close", () => own.remove());
  document.body.append(still(own, "pre, textarea"));
  return { own, field, code, form, note };
};

const open = (block: HTMLElement, shown: HTMLElement, words: DOMStringMap) => {
  const { own, field, code, form, note } = build(words.report ?? "", words);
  const text = shown.textContent.replace(/\n$/, "").slice(0, 4000);
  const path = counter.path();
  code.textContent = text;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const answer = await counter.post(counter.to.feedback, JSON.stringify({
        path, helpful: null, comment: field.value.trim(), code: text, filename: find(".code-title", block)?.textContent.trim().slice(0, 200),
        lang: /language-([\w+#.-]{1,40})/.exec(shown.className)?.[1],
      }));
      if (answer.type !== "opaque" && !answer.ok) throw new Error("status " + answer.status);
      form.hidden = true;
      note.textContent = words.thanks ?? "";
      setTimeout(() => own.close(), 1500);
    } catch {
      note.textContent = words.failed ?? "";
    }
  });
  dialog = own;
  own.showModal();
  field.focus();
};

onPage(() => {
  dialog?.close();
  const words = find("section[data-feedback]")?.dataset;
  if (!words || !counter.to.feedback) return;
  for (const block of all("main figure.code")) {
    const code = find("code", block);
    if (!code || find(":scope > button.report", block)) continue;
    const button = make("button", { type: "button", className: "report", title: words.report, dataset: { platform: "" }, "aria-label": words.report ?? "" }, drawing(FLAG));
    button.addEventListener("click", () => open(block, code, words));
    block.append(button);
  }
});
