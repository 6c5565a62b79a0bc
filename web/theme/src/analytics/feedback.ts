// Readers' feedback on a page: whether it was helpful, and why. A vote is held back for a comment, and sent without one when the reader
// leaves. The texts are in the page, in its language.
import * as counter from "./count";
import { all, find, onPage } from "../page/page";

const box = () => find("section[data-feedback]");
// Said is the feedback on a page; helpful is null if the vote has already been sent.
interface Said { path: string; once: string; helpful: boolean | null; comment?: string }
let held: Said | null = null; // a vote that is not sent yet

// random id of this page view, by which the server connects a vote and a later comment; not stored
const number = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");

const send = async (said: Said) => {
  const answer = await counter.post(counter.to.feedback, JSON.stringify(said));
  if (answer.type !== "opaque" && !answer.ok) throw new Error("status " + answer.status);
};
const release = () => {
  if (!held) return;
  const said = held;
  held = null;
  send(said).catch(() => {}); // the reader has left
};
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") release(); });
addEventListener("pagehide", release);

// deliver sends a form. On success it calls done; otherwise the form keeps its text.
const deliver = async (form: HTMLFormElement, said: Said, done: () => void) => {
  const { thanks = "", failed = "" } = box()?.dataset ?? {};
  const note = form.parentElement && find("[role=status]", form.parentElement);
  const button = find<HTMLButtonElement>("[type=submit]", form);
  if (!note || !button) return;
  button.disabled = true;
  try {
    await send(said);
    note.textContent = thanks;
    done();
  } catch {
    note.textContent = failed;
  }
  button.disabled = false;
};

onPage(() => {
  release();
  const here = box();
  if (!here || !counter.to.feedback) return;
  const form = find<HTMLFormElement>("form", here);
  const field = form && find<HTMLTextAreaElement>("textarea", form);
  const note = find("[role=status]", here);
  const thumbs = all<HTMLButtonElement>("button[data-helpful]", here);
  if (!field || !note) return;
  const path = counter.path();
  const once = number();
  for (const thumb of thumbs) {
    thumb.addEventListener("click", () => {
      for (const other of thumbs) other.setAttribute("aria-pressed", String(other === thumb));
      held = { path, once, helpful: thumb.dataset.helpful === "true" };
      note.textContent = "";
      form.hidden = false;
      field.focus({ preventScroll: true });
      form.scrollIntoView({ block: "nearest" });
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const comment = field.value.trim();
    const said: Said = held ? { ...held } : { path, once, helpful: null };
    held = null;
    if (comment) said.comment = comment;
    else if (said.helpful === null) return; // the vote has already been sent
    deliver(form, said, () => { form.hidden = true; for (const thumb of thumbs) thumb.disabled = true; })
      .then(() => { if (!form.hidden && said.helpful !== null) held = { path, once, helpful: said.helpful }; });
  });
  here.hidden = false;
});
