// The conversation with its input field, as shown by the panel, a page and the widget.
import { messageView } from "./message";
import type { Context, Message, Phrase, Site } from "./site";
import type { Conversation } from "./talk";
import { drawing, make, named, word } from "../page/page";

export type Chat = ReturnType<typeof chat>;

export const chat = (site: Site, talk: Conversation, phrase: Phrase) => {
  const SEND = "M12 19V5M5.500 11.500L12 5l6.500 6.500";
  const STOP = "M7 7h10v10H7z";
  let context: Context[] = []; // context of the next question
  let views: ReturnType<typeof messageView>[] = [];
  let frame = 0;

  const list = make("div", { className: "ask-list" });
  const welcome = make("div", { className: "ask-welcome" });
  const status = make("p", { className: "ask-said", role: "status" });
  const field = named("chat-assistant-textarea", make("textarea", { className: "ask-field", rows: 1, maxLength: 4000, placeholder: phrase("Ask a question…"), "aria-label": phrase("Ask a question…"), enterKeyHint: "send", dir: "auto" }));
  const send = make("button", { type: "submit", className: "ask-send chat-assistant-send-button" });
  const about = make("div", { className: "ask-context", hidden: true });
  const note = make("p", { className: "ask-care chat-assistant-disclaimer-text" });
  const form = make("form", { className: "ask-form" }, make("div", { className: "ask-box chat-assistant-input" }, about, make("div", { className: "ask-line" }, field, send)), note);
  const scroll = make("div", { className: "ask-scroll chat-assistant-sheet-content", tabIndex: 0, role: "region", "aria-label": phrase("Assistant") }, welcome, list);
  const element = make("div", { className: "ask-chat" }, scroll, form, status);

  const grow = () => { field.style.height = "auto"; field.style.height = Math.min(field.scrollHeight, 180) + "px"; };
  // While an answer is streamed, the view scrolls along until the question is at the top. Scrolling by the reader stops
  // that.
  let follow = true;
  const settle = () => {
    const asked = list.querySelectorAll<HTMLElement>('[data-role="user"]');
    const last = asked[asked.length - 1];
    if (last && follow) scroll.scrollTop = Math.max(last.offsetTop - 16, 0);
    if (last && follow && element.dataset.flow !== undefined && talk.busy) form.scrollIntoView({ block: "nearest" });
  };
  for (const type of ["wheel", "touchmove", "keydown"]) scroll.addEventListener(type, () => { follow = false; }, { passive: true });
  const dress = () => {
    const busy = talk.busy;
    const label = phrase(busy ? "Stop" : "Send");
    send.replaceChildren(drawing(busy ? STOP : SEND, "ask-icon"));
    send.setAttribute("aria-label", label);
    send.title = label;
    send.toggleAttribute("data-stop", busy);
    send.disabled = !busy && !field.value.trim();
    welcome.hidden = talk.messages.length > 0;
    note.textContent = talk.mode === "local" ? phrase("Passages from these docs, without a language model.") : talk.mode ? phrase("Answers can be wrong. Check the sources.") : "";
  };
  const say = (message: Message) => { // announce the whole answer once, not each piece
    if (message.state === "busy") { if (!message.text) status.textContent = word("Searching…"); return; }
    const last = views.find((v) => v.message === message);
    status.textContent = message.error || last?.element.querySelector(".ask-answer")?.textContent.slice(0, 3000) || "";
  };
  const sync = () => {
    frame = 0;
    const known = new Map(views.map((v) => [v.message, v]));
    views = talk.messages.map((m) => known.get(m) || messageView(m, { site, talk, phrase }));
    for (const v of known.values()) {
      if (views.includes(v)) continue;
      if (v.element.contains((element.getRootNode() as Document | ShadowRoot).activeElement)) field.focus({ preventScroll: true }); // otherwise the focus would be lost with the element
      v.element.remove();
    }
    views.forEach((v, i) => { if (list.children[i] !== v.element) list.insertBefore(v.element, list.children[i] || null); });
    const last = views.at(-1);
    last?.update();
    dress();
    settle();
  };
  let told: Pick<Message, "state"> & { message: Message } | null = null; // the last announced message and state
  const changed = (message: Message | null) => {
    frame ||= requestAnimationFrame(sync);
    if (!message || told?.message === message && told.state === message.state) return;
    told = { message, state: message.state };
    requestAnimationFrame(() => say(message));
  };

  const submit = () => {
    const text = field.value.trim();
    if (talk.busy || !text) return;
    field.value = "";
    grow();
    talk.ask(text, context);
    mention(null);
    follow = true;
    sync();
  };
  const mention = (about1: Context | null) => {
    context = about1 ? [about1] : [];
    about.hidden = !about1;
    if (!about1) { about.replaceChildren(); return; }
    const drop = make("button", { type: "button", className: "ask-small", "aria-label": word("Close"), onclick: () => { mention(null); field.focus(); } }, drawing("M6 6l12 12M18 6L6 18", "ask-icon"));
    about.replaceChildren(make("q", { dir: "auto" }, about1.value.slice(0, 200) + (about1.value.length > 200 ? " …" : "")), drop);
  };
  const begin = (questions: string[]) => {
    const hello = make("p", { className: "ask-hello" }, site.title || "Ask about anything in these docs.");
    const starters = questions.map((q) => make("button", { type: "button", className: "ask-starter starter-question-text", dir: "auto", onclick: () => { talk.ask(q, context); mention(null); follow = true; sync(); field.focus(); } }, q));
    welcome.replaceChildren(hello, ...(starters.length ? [make("div", { className: "ask-starters" }, ...starters)] : []));
  };

  form.addEventListener("submit", (event) => { event.preventDefault(); if (talk.busy) talk.stop(); else submit(); field.focus(); });
  field.addEventListener("input", () => { if (!field.value.trim()) field.value = ""; grow(); dress(); }); // some keyboards add the line break nevertheless
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  const ended = talk.watch(changed);
  begin([]);
  talk.hello().then(begin).catch(() => {}).finally(dress); // the next question reports the error
  sync();
  return {
    element,
    focus: () => { grow(); field.focus({ preventScroll: element.dataset.flow === undefined }); },
    about: mention,
    draft: (text: string) => { if (!field.value.trim()) field.value = text; grow(); dress(); }, // do not overwrite what the reader has typed
    bottom: () => { follow = true; settle(); },
    end: () => { ended(); cancelAnimationFrame(frame); element.remove(); },
  };
};
