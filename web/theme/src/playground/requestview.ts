// The request as code, in the reader's language, while it changes.
import { copyText } from "../page/clipboard";
import { announce, make, recall, remember, word } from "../page/page";
import { say } from "../page/say";
import { sampleOfCall } from "./call";
import { iconButton } from "./field";
import type { Form } from "./field";
import { span } from "./jsonview";
import { SAMPLES, writeSample } from "./sample";
import type { Call } from "./transport";

const LANGUAGE_KEY = "lectern-try-language";

// coloured marks the texts of a sample; the rest of the syntax differs too much from language to language.
const coloured = (code: string) => code.split(/("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])*')/).map((part, i) => i % 2 ? span("s", part) : part);

export class RequestView {
  reveal = false; // credentials are shown
  readonly element: HTMLElement;
  private pick: HTMLSelectElement;
  private eye: HTMLButtonElement;
  private code = make("code");

  constructor(form: Form, languages: string[], changed: () => void) {
    const known = languages.filter((l) => l in SAMPLES);
    const kept = recall(LANGUAGE_KEY);
    this.pick = make("select", { className: "try-input try-language", id: form.id(), "aria-label": "Language" }, ...known.map((l) => make("option", { value: l }, SAMPLES[l][0])));
    this.pick.value = typeof kept === "string" && known.includes(kept) ? kept : known[0] || "bash";
    this.pick.addEventListener("change", () => { remember(LANGUAGE_KEY, this.pick.value); changed(); });
    this.eye = iconButton("eye", "Show credentials", () => { this.reveal = !this.reveal; this.eye.setAttribute("aria-pressed", String(this.reveal)); changed(); });
    this.eye.setAttribute("aria-pressed", "false");
    const copy = iconButton("copy", word("Copy"), async () => {
      say(word(await copyText(this.code.textContent) ? "Copied" : "Could not copy"));
      announce("copy", { target: this.pick.value });
    });
    this.element = make("section", { className: "try-request", "aria-label": word("Request") },
      make("div", { className: "try-bar" }, make("h3", {}, word("Request")), make("div", { className: "try-tools" }, this.pick, this.eye, copy)),
      make("pre", { className: "try-pre code", tabIndex: 0, "aria-label": word("Request") }, this.code));
  }
  show(call: Call, secrets: boolean) {
    this.eye.hidden = !secrets;
    this.code.replaceChildren(...coloured(writeSample(this.pick.value, sampleOfCall(call))));
  }
}
