// The view of one message of a conversation.
import * as markdown from "./markdown";
import { ownAddress } from "./server";
import type { Message, Phrase, Site, Source } from "./site";
import type { Conversation } from "./talk";
import { copyText } from "../page/clipboard";
import { drawing, find, make, word } from "../page/page";

export const messageView = (message: Message, { site, talk, phrase }: { site: Site; talk: Conversation; phrase: Phrase }) => {
  const UP = "M7 11v9H4v-9zM7 11l4-7.500a2 2 0 0 1 2 2V9h5.500a1.500 1.500 0 0 1 1.500 1.800l-1.400 7.400a2 2 0 0 1-2 1.800H7";
  const DOWN = "M7 13V4H4v9zM7 13l4 7.500a2 2 0 0 0 2-2V15h5.500a1.500 1.500 0 0 0 1.500-1.800l-1.400-7.400a2 2 0 0 0-2-1.800H7";
  const COPY = "M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1";
  const shown: { text: string; sources: string; node: HTMLElement }[] = []; // blocks
  const text = make("div", { className: "ask-answer", dir: "auto" });
  const wait = make("div", { className: "ask-wait", "aria-hidden": "true" }, make("i"), make("i"), make("i"));
  const foot = make("div", { className: "ask-foot", hidden: true });
  const element = make("div", { className: "ask-message chat-assistant-payload-item", dataset: { role: message.role } });

  const href = (source: Source) => ownAddress(site, source.url) || (/^https:\/\//i.test(source.url) ? source.url : null);
  const anchor = (address: string, label: (Node | string)[]) => {
    const own = ownAddress(site, address) === address;
    return make("a", { href: address, ...(site.away || !own ? { target: "_blank", rel: "noopener noreferrer" } : {}) }, ...label);
  };
  const places = {
    anchor,
    // An answer may link to pages of the site and to its sources; other links stay text.
    link: (address: string) => ownAddress(site, address) || message.sources.map(href).find((h) => h && h === address) || null,
    cite: (n: number) => {
      const source = message.sources.find((s) => s.id === String(n));
      const address = source && href(source);
      if (!source || !address) return message.state === "busy" ? make("span", { className: "ask-cite" }, String(n)) : null;
      const link = anchor(address, [String(n)]);
      link.className = "ask-cite";
      link.title = source.title;
      link.setAttribute("aria-label", phrase("Sources") + " " + n + ": " + source.title);
      return link;
    },
  };

  // write updates the text. It keeps unchanged blocks, so that selections in them are kept too.
  const write = () => {
    const sources = message.sources.length + message.state;
    const blocks = markdown.blocks(message.text);
    blocks.forEach((block, i) => {
      if (shown[i]?.text === block && (shown[i].sources === sources || !/\[/.test(block))) return;
      const node = markdown.block(block, places);
      if (shown[i]) shown[i].node.replaceWith(node);
      else text.append(node);
      shown[i] = { text: block, sources, node };
    });
    while (shown.length > blocks.length) shown.pop()!.node.remove();
  };

  const button = (icon: string, label: string, press: () => unknown) => make("button", { type: "button", className: "ask-small", title: label, "aria-label": label, onclick: press }, drawing(icon, "ask-icon"));
  const sourceList = () => {
    const items = message.sources.flatMap((s) => { const h = href(s); return h ? [{ s, h }] : []; }).map(({ s, h }) => make("li", {}, make("span", { className: "ask-number", "aria-hidden": "true" }, s.id), anchor(h, [s.title])));
    if (!items.length) return [];
    return [make("div", { className: "ask-sources" }, make("p", { className: "ask-label" }, phrase("Sources")), make("ul", {}, ...items))];
  };
  const rating = () => {
    const said = make("span", { className: "ask-thanks", role: "status" });
    const press = (helpful: boolean) => async () => {
      const form = find(".ask-comment", foot);
      try {
        await talk.rate(message, helpful);
        mark(helpful);
        said.textContent = "Thank you.";
        if (form) form.hidden = false;
      } catch (error) { said.textContent = (error as Error).message; }
    };
    const up = button(UP, phrase("Helpful"), press(true));
    const down = button(DOWN, phrase("Not helpful"), press(false));
    const mark = (helpful?: boolean) => {
      up.setAttribute("aria-pressed", String(helpful === true));
      down.setAttribute("aria-pressed", String(helpful === false));
    };
    mark(message.helpful);
    return [up, down, said];
  };
  const comment = () => {
    const field = make("input", { type: "text", maxLength: 2000, placeholder: "Tell us more (optional)", "aria-label": "Tell us more", autocomplete: "off" });
    const form = make("form", { className: "ask-comment", hidden: true }, field, make("button", { type: "submit", className: "ask-plain" }, phrase("Send")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!field.value.trim()) return;
      const status = find(".ask-thanks", foot);
      if (!status || message.helpful === undefined) return;
      try {
        await talk.rate(message, message.helpful, field.value.trim());
        form.hidden = true;
        status.textContent = "Thank you for your comment.";
      } catch (error) { status.textContent = (error as Error).message; }
    });
    return form;
  };
  const finish = () => {
    const copy = button(COPY, word("Copy"), async () => { copy.title = word(await copyText(message.text) ? "Copied" : "Could not copy"); copy.dataset.done = ""; setTimeout(() => { copy.title = word("Copy"); delete copy.dataset.done; }, 1600); });
    const rates = talk.canRate && message.text && message.state === "";
    foot.replaceChildren(...sourceList(), ...(message.text ? [make("div", { className: "ask-row" }, copy, ...(rates ? rating() : []))] : []), ...(rates ? [comment()] : []));
    if (message.state === "stopped") foot.prepend(make("p", { className: "ask-note" }, "Stopped."));
    if (message.state === "failed") {
      const again = make("button", { type: "button", className: "ask-plain", onclick: () => talk.again() }, word("Try again"));
      foot.prepend(make("p", { className: "ask-error", role: "alert" }, message.error || "The answer was interrupted.", " ", again));
    }
    foot.hidden = !foot.childElementCount;
  };

  const update = () => {
    if (message.role === "user") return;
    write();
    wait.hidden = message.state !== "busy" || message.text !== "";
    element.toggleAttribute("data-busy", message.state === "busy");
    if (message.state !== "busy") finish();
  };
  if (message.role === "user") {
    for (const c of message.context || []) element.append(make("blockquote", { className: "ask-about-text", dir: "auto" }, c.value.slice(0, 300) + (c.value.length > 300 ? " …" : "")));
    element.append(make("p", { dir: "auto" }, message.text));
  } else element.append(wait, text, foot);
  update();
  return { element, update, message };
};
