// Shows the current request as code in the reader's language.
import { choose, chosenOf, onChoice } from "../page/choice";
import { copyText } from "../page/clipboard";
import { Listbox } from "../page/listbox";
import { announce, make, word } from "../page/page";
import { say } from "../page/say";
import { sampleOfCall } from "./call";
import { iconButton } from "./field";
import { tokensOf } from "./highlight";
import { span } from "./jsonview";
import { SAMPLES, writeSample } from "./sample";
import type { Call } from "./transport";

// coloured highlights a sample with the same tokens as the build.
const coloured = (language: string, code: string) =>
  tokensOf(SAMPLE_RULES[language === "node" ? "javascript" : language], code).map(([kind, text]) => kind ? span(kind, text) : text);

export class RequestView {
  reveal = false; // credentials are shown
  readonly element: HTMLElement;
  private languages: string[];
  private at: number; // index of the shown language
  private eye: HTMLButtonElement;
  private code = make("code");

  constructor(languages: string[], changed: () => void) {
    this.languages = languages.filter((l) => l in SAMPLES);
    if (!this.languages.length) this.languages = ["bash"];
    const titles = this.languages.map((l) => SAMPLES[l][0]);
    this.at = Math.max(chosenOf(titles), 0);
    const pick = make("button", { type: "button", className: "pick" });
    const menu = new Listbox(pick, { name: word("Language"), options: () => titles, chosen: () => this.at, choose: (i) => choose(titles[i], this) });
    onChoice(({ title }) => {
      if (!titles.includes(title)) return;
      this.at = titles.indexOf(title);
      menu.show();
      changed();
    });
    this.eye = iconButton("eye", "Show credentials", () => { this.reveal = !this.reveal; this.eye.setAttribute("aria-pressed", String(this.reveal)); changed(); });
    this.eye.setAttribute("aria-pressed", "false");
    const copy = iconButton("copy", word("Copy"), async () => {
      say(word(await copyText(this.code.textContent) ? "Copied" : "Could not copy"));
      announce("copy", { target: this.languages[this.at] });
    });
    this.element = make("section", { className: "try-request", "aria-label": word("Request") },
      make("div", { className: "try-bar" }, make("h3", {}, word("Request")), make("div", { className: "try-tools" }, pick, this.eye, copy)),
      make("pre", { className: "try-pre code", tabIndex: 0, "aria-label": word("Request") }, this.code));
  }
  show(call: Call, secrets: boolean) {
    this.eye.hidden = !secrets;
    const language = this.languages[this.at];
    this.code.replaceChildren(...coloured(language, writeSample(language, sampleOfCall(call))));
  }
}
