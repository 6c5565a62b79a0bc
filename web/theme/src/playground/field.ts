// Fields: a name, a description, a control, and its problems. get of a control returns the value, or undefined if there is none.
import { drawing, make, word } from "../page/page";
import type { Value } from "./json";
import type { Book } from "./schema";

// Problem describes what is wrong with a field, and the element to focus.
export interface Problem { label: string; text: string; element: HTMLElement | null }
export interface Control { element: HTMLElement; get: () => Value | undefined; check: () => Problem[]; input?: InputElement }
// Input is a control with one input, not labelled yet.
export type InputElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export interface Input<V extends Value | undefined = Value | undefined> { element: HTMLElement; input: InputElement; get: () => V; beside?: HTMLElement }
// About holds the name and the description of a field.
export interface About { name: string; type?: string; required?: boolean; deprecated?: boolean; note?: string; say?: string }

export const ICONS = {
  close: "M6 6l12 12M18 6 6 18", plus: "M12 5v14M5 12h14", up: "M6 15l6-6 6 6", down: "M6 9l6 6 6-6", trash: "M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z", play: "M7 4.5v15l12-7.5z", stop: "M6 6h12v12H6z",
  copy: "M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1",
  save: "M12 4v11M7 11l5 5 5-5M5 20h14", clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
};
export const iconButton = (icon: keyof typeof ICONS, label: string, onclick: () => unknown, className = "") =>
  make("button", { type: "button", className: "try-icon " + className, title: label, "aria-label": label, onclick }, drawing(ICONS[icon]));
export const textButton = (icon: keyof typeof ICONS | "", label: string, onclick: () => unknown, className = "") =>
  make("button", { type: "button", className: "try-button " + className, onclick }, ...icon ? [drawing(ICONS[icon])] : [], label);

// Form holds what the controls of one panel share: the schemas, ids, and the callback for changes.
export class Form {
  static last = 0;
  parts = 0;
  constructor(readonly book: Book, readonly changed: () => void) {}
  id() { return "try-" + ++Form.last; }
}

export const plainNote = (text: string | undefined) => String(text || "").replace(/<[^>]*>/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]+/g, "").trim();

// fieldHead returns the line above a control: a name, its type, labels.
const fieldHead = ({ name, type, required, deprecated, id }: About & { id?: string }) => [
  id ? make("label", { className: "try-name", htmlFor: id }, name) : make("span", { className: "try-name" }, name),
  ...type ? [make("span", { className: "try-type" }, type)] : [],
  ...required ? [make("span", { className: "try-need" }, word("required"))] : [],
  ...deprecated ? [make("span", { className: "try-old" }, word("deprecated"))] : [],
];

// labelled creates a field from a control with one input. problems(value) returns what is wrong with the value.
export const labelled = <V extends Value | undefined>(
  form: Form, { name, type, required, deprecated, note, say }: About, control: Input<V>, problems: (value: V) => string[], ...beside: Node[]
) => {
  const input = control.input;
  input.id ||= form.id();
  const about = [plainNote(note), say ?? ""].filter(Boolean);
  const wrong = make("p", { className: "try-wrong", id: form.id(), hidden: true });
  const noteID = form.id();
  const element = make("div", { className: "try-field" },
    make("div", { className: "try-head" }, ...fieldHead({ name, type, required, deprecated, id: input.id }), ...beside),
    control.element,
    ...about.length ? [make("p", { className: "try-note", id: noteID }, about[0], ...about[1] ? [make("span", { className: "try-limits" }, about[1])] : [])] : [],
    wrong);
  input.setAttribute("aria-describedby", [...about.length ? [noteID] : [], wrong.id].join(" "));
  if (required) input.setAttribute("aria-required", "true");
  const show = () => {
    const found = problems(control.get());
    const seen = found.length > 0 && ("touched" in element.dataset || !!element.closest("[data-checked]"));
    wrong.hidden = !seen;
    wrong.textContent = seen ? name + " " + found[0] + "." : "";
    if (seen) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return found;
  };
  element.addEventListener("focusout", () => { element.dataset.touched = ""; show(); });
  return { element, get: control.get, input, check: (): Problem[] => show().map((text) => ({ label: name, text, element: input })) };
};

// groupBox groups controls under a name, as one part of the form.
export const groupBox = ({ name, type, required, note, say }: About, content: Node[], ...beside: Node[]) => make("fieldset", { className: "try-group" },
  make("legend", { className: "try-head" }, ...fieldHead({ name, type, required }), ...beside),
  ...[plainNote(note), say ?? ""].filter(Boolean).map((text) => make("p", { className: "try-note" }, text)), ...content);
