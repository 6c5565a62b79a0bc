// A button that opens a list of choices, following the listbox pattern of the ARIA authoring practices. The list is above everything else
// on the page, even if the button's container clips its content.
import { make } from "./page";

export interface Choices {
  name: string; // of the list, for screen readers
  options: () => string[];
  chosen: () => number;
  choose: (index: number) => void;
}

let count = 0;

export class Listbox {
  private list: HTMLElement | null = null;
  private at = 0; // the option that Enter chooses
  private typed = "";
  private timer: number | undefined;

  constructor(readonly button: HTMLButtonElement, private choices: Choices) {
    button.setAttribute("aria-haspopup", "listbox");
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => this.list ? this.close() : this.open());
    button.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      this.open();
    });
    this.show();
  }

  // show sets the button's text to the choice.
  show() {
    const text = this.choices.options()[this.choices.chosen()] ?? "";
    this.button.textContent = text;
    this.button.setAttribute("aria-label", `${this.choices.name}: ${text}`);
  }

  private open() {
    if (this.list) return;
    const id = `choices-${++count}`, chosen = this.choices.chosen();
    const list = make("ul", { className: "pick-list", role: "listbox", tabIndex: -1, id, "aria-label": this.choices.name, dataset: { platform: "" } });
    this.choices.options().forEach((text, i) => {
      const option = make("li", { role: "option", id: `${id}-${i}`, "aria-selected": String(i === chosen) }, text);
      option.addEventListener("pointermove", () => this.move(i, false));
      option.addEventListener("click", () => this.pick(i));
      list.append(option);
    });
    list.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("focusout", () => this.close(false));
    this.list = list;
    this.button.setAttribute("aria-expanded", "true");
    this.button.setAttribute("aria-controls", id);
    this.button.after(list);
    if (list.showPopover) {
      list.popover = "manual";
      list.showPopover();
    }
    this.place();
    this.move(Math.max(chosen, 0), true);
    list.focus({ preventScroll: true });
    addEventListener("scroll", this.follow, true);
    addEventListener("resize", this.follow);
  }

  // place positions the list below the button, or above it if there is more space.
  private place() {
    const { list, button } = this;
    if (!list) return;
    const box = button.getBoundingClientRect(), below = innerHeight - box.bottom - 12, above = box.top - 12;
    const up = below < Math.min(list.scrollHeight, 240) && above > below;
    list.style.maxHeight = `${Math.min(up ? above : below, 352)}px`;
    list.style.minWidth = `${box.width}px`;
    list.style.left = `${Math.max(8, Math.min(box.left, innerWidth - list.offsetWidth - 8))}px`;
    list.style.top = up ? `${box.top - 4 - list.offsetHeight}px` : `${box.bottom + 4}px`;
  }

  // The list follows the button while the page scrolls, as long as the button is visible.
  private follow = () => {
    const { top, bottom } = this.button.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) this.close(false);
    else this.place();
  };

  private close(back = true) {
    const { list } = this;
    if (!list) return;
    this.list = null;
    removeEventListener("scroll", this.follow, true);
    removeEventListener("resize", this.follow);
    this.button.setAttribute("aria-expanded", "false");
    this.button.removeAttribute("aria-controls");
    if (back) this.button.focus({ preventScroll: true });
    list.remove();
  }

  private move(to: number, scroll: boolean) {
    const { list } = this;
    if (!list) return;
    this.at = Math.max(0, Math.min(to, list.children.length - 1));
    [...list.children].forEach((option, i) => option.classList.toggle("pick-at", i === this.at));
    const option = list.children[this.at];
    list.setAttribute("aria-activedescendant", option?.id ?? "");
    if (scroll) option?.scrollIntoView({ block: "nearest" });
  }

  private pick(index: number) {
    this.close();
    this.choices.choose(index);
    this.show();
  }

  private key(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, Home: 0, End: Infinity, PageDown: this.at + 8, PageUp: this.at - 8 };
    if (event.key in steps) this.move(steps[event.key], true);
    else if (event.key === "Enter" || event.key === " " && !this.typed) this.pick(this.at);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab") { this.close(); return; } // the focus moves on from the button
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) this.type(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation(); // Escape must not close an enclosing dialog
  }

  // type moves to the next option that begins with the typed text.
  private type(letter: string) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.typed = ""; }, 600);
    this.typed += letter.toLowerCase();
    const options = this.choices.options().map((text) => text.toLowerCase());
    const from = this.typed.length === 1 ? this.at + 1 : this.at;
    const found = options.map((_, i) => (from + i) % options.length).find((i) => options[i].startsWith(this.typed));
    if (found !== undefined) this.move(found, true);
  }
}
