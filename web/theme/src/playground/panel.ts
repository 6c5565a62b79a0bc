// The panel: the form on one side, the request and the response on the other.
import { announce, drawing, find, make, named, word } from "../page/page";
import { say } from "../page/say";
import { ResponseView, STATUS } from "./response";
import { authControl } from "./auth";
import { bodyControl, bodyKind } from "./body";
import type { BodyControl, Saved } from "./body";
import { makeCall, originOf, serverURL } from "./call";
import { PLACES, parameterControls, serverControl } from "./callform";
import type { ParameterControl, ServerControl } from "./callform";
import { Form, ICONS, iconButton, textButton } from "./field";
import type { Problem } from "./field";
import { Past, pastView } from "./history";
import type { Entry, SavedBody } from "./history";
import { compactJSON, readJSON, writeJSON } from "./json";
import type { Media, Plan } from "./plan";
import { RequestView } from "./requestview";
import { Book } from "./schema";
import { secretName, without } from "./secret";
import { FORBIDDEN, Refused, TIMEOUT, hasProxy, request } from "./transport";
import type { Call } from "./transport";

type Section = (title: string, ...content: Node[]) => HTMLElement;

export class Panel {
  dialog!: HTMLDialogElement;
  private form: Form;
  private past: Past;
  private answer = new ResponseView();
  private view: RequestView;
  private relay: HTMLInputElement; // whether to send through the site's proxy
  private relayLabel: HTMLElement;
  private able: boolean; // the site has a proxy
  private asked = false; // whether the check for a proxy was made
  private url = make("code", { className: "try-url" });
  private sendButton!: HTMLButtonElement;
  private stopButton!: HTMLButtonElement;
  private historyButton!: HTMLButtonElement;
  private fields = named("api-playground-input", make("div", { className: "try-form" }));
  private warn = make("div", { className: "try-warn", role: "alert", hidden: true });
  private note = make("p", { className: "try-note try-hint", hidden: true });
  private side!: HTMLElement;
  private shown: HTMLElement | null = null; // the visible history
  private stop: AbortController | null = null; // aborts the current request
  private built = false;
  private server!: ServerControl; // set by build, like the following
  private auth: ReturnType<typeof authControl> = null;
  private parameters: ParameterControl[] = [];
  private body: { media: Media; control: BodyControl } | null = null;
  private useBody = () => true;

  constructor(private plan: Plan) {
    this.form = new Form(new Book(plan.schemas), () => { this.refresh(); });
    this.past = new Past(plan);
    this.view = new RequestView(plan.languages || [], () => this.refresh());
    this.relay = make("input", { type: "checkbox", checked: true, onchange: () => this.refresh() });
    this.relayLabel = make("label", { className: "try-check try-relay", hidden: plan.proxy !== "has", title: "This site's server sends the request for you, so the API does not have to allow this site." }, this.relay, "Through this site");
    this.able = plan.proxy === "has";
    this.frame();
    this.build(null);
  }

  frame() {
    const method = make("span", { className: "api-method method-pill", dataset: { method: this.plan.method.toLowerCase() } }, this.plan.method);
    this.sendButton = make("button", { type: "submit", className: "try-send", title: "Ctrl + Enter" }, drawing(ICONS.play), make("span", {}, word("Send")));
    this.stopButton = make("button", { type: "button", className: "try-send try-stop", hidden: true, onclick: () => this.stop?.abort() }, drawing(ICONS.stop), make("span", {}, word("Cancel")));
    this.historyButton = iconButton("clock", word("History"), () => this.history());
    this.side = make("div", { className: "try-side" }, this.view.element, this.answer.element);
    const top = make("div", { className: "try-top" }, make("div", { className: "try-address" }, method, this.url),
      make("div", { className: "try-actions" }, this.relayLabel, this.historyButton, this.sendButton, this.stopButton, iconButton("close", word("Close"), () => this.dialog.close(), "try-close")));
    const main = make("form", { className: "try-main", noValidate: true, autocomplete: "off" }, top, this.warn, this.note, make("div", { className: "try-columns" }, this.fields, this.side));
    main.addEventListener("submit", (event) => { event.preventDefault(); this.send(false); });
    main.addEventListener("input", () => this.refresh());
    main.addEventListener("change", () => this.refresh());
    main.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.send(false); }
      else if (event.key === "Enter" && event.target instanceof Element && event.target.matches("input, select")) event.preventDefault(); // Enter in a field must not submit the form
    });
    this.dialog = make("dialog", { className: "try", "aria-label": `${word("Try it")}: ${this.plan.title || this.plan.path}` }, main);
    this.dialog.addEventListener("close", () => this.stop?.abort());
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); }); // click outside of the panel
  }

  // build creates the form again, from an earlier request or from the description.
  build(saved: Entry | null) {
    const { plan, form } = this;
    this.built = false;
    this.server = serverControl(form, plan.servers, saved);
    this.auth ||= authControl(form, plan, () => originOf(this.server.url()), (call: Call) => this.ask(call));
    this.parameters = parameterControls(form, plan, saved?.parameters);
    const section = (title: string, ...content: Node[]) => make("section", { className: "try-section", "aria-label": title }, make("h3", {}, title), ...content);
    const parts: HTMLElement[] = [];
    if (this.server.element) parts.push(section(word("Server"), this.server.element));
    if (this.auth) parts.push(section(word("Authorization"), this.auth.element));
    for (const [place, title] of PLACES) {
      const list = this.parameters.filter((x) => x.p.in === place);
      if (list.length) parts.push(section(word(title), make("div", { className: "try-fields" }, ...list.map((x) => x.element))));
    }
    this.body = null;
    if (plan.bodies?.length) parts.push(this.bodySection(plan.bodies, section, saved?.body));
    if (!parts.length) parts.push(make("p", { className: "try-empty" }, "This request has no parameters."));
    this.fields.replaceChildren(...parts);
    this.built = true;
    this.refresh();
  }

  bodySection(bodies: Media[], section: Section, saved?: SavedBody) {
    const { plan, form } = this;
    const pick = make("select", { className: "try-input", "aria-label": "Media type" }, ...bodies.map((b, i) => make("option", { value: String(i) }, b.type)));
    const at = saved ? bodies.findIndex((b) => b.type === saved.type) : bodies.findIndex((b) => bodyKind(form.book, b) === "json");
    pick.value = String(Math.max(0, at));
    const samples = make("select", { className: "try-input", "aria-label": "Example" });
    const use = make("input", { type: "checkbox", checked: saved ? saved.sent !== false : bodies[0].required || plan.method !== "DELETE" && plan.method !== "GET" });
    const place = make("div");
    const show = (kept?: Saved, example = 0) => {
      const media = bodies[Number(pick.value)];
      this.body = { media, control: bodyControl(form, media, kept, example) };
      place.replaceChildren(this.body.control.element);
      if (!example) samples.replaceChildren(...(media.examples || []).map((e, i) => make("option", { value: String(i) }, e.name || "Example " + (i + 1))));
      samples.hidden = (media.examples || []).length < 2;
    };
    pick.addEventListener("change", () => { show(); this.refresh(); });
    samples.addEventListener("change", () => { show(undefined, Number(samples.value)); samples.hidden = false; this.refresh(); });
    use.addEventListener("change", () => { place.hidden = !use.checked; });
    show(saved && readSaved(saved));
    place.hidden = !use.checked;
    this.useBody = () => use.checked;
    return section(word("Body"), make("div", { className: "try-line" }, bodies.length > 1 ? pick : make("code", { className: "try-type" }, bodies[0].type), samples,
      ...bodies[0].required ? [make("span", { className: "try-need" }, word("required"))] : [make("label", { className: "try-check" }, use, "Send a body")]), place);
  }

  // call returns the request with the form's current values.
  call(reveal: boolean) {
    const body = this.body && this.useBody() ? this.body.control.call(this.body.media.type) : { kind: "none" } as const;
    return makeCall(this.plan, { server: this.server.url(), parameters: this.parameters, proof: this.auth ? this.auth.parts(reveal) : [], body });
  }

  check() {
    return [...this.server.check(), ...this.parameters.flatMap((x) => x.check()), ...this.body && this.useBody() ? this.body.control.check() : []];
  }

  private refresh(): Problem[] {
    if (!this.built) return [];
    this.auth?.follow();
    const call = this.call(this.view.reveal);
    this.url.textContent = this.call(false).url;
    this.view.show(call, !!this.auth);
    const problems = this.check();
    if (!this.warn.hidden && !problems.length) this.warn.hidden = true;
    const unsent = this.relayed() ? [] : [...call.headers.map(([name]) => name).filter((name) => FORBIDDEN.test(name)), ...call.cookies.length ? ["Cookie"] : []];
    this.note.hidden = !unsent.length;
    this.note.textContent = unsent.length ? `Browsers do not let pages send ${[...new Set(unsent)].join(", ")}. ${this.able ? "“Through this site” sends it." : "The samples do."}` : "";
    return problems;
  }

  relayed() { return this.able && this.relay.checked ? new URL(this.plan.proxyURL ?? "", document.baseURI).href : ""; }
  ask(call: Call) { return request(call, { proxyURL: this.relayed(), credentials: false, signal: AbortSignal.timeout(TIMEOUT) }); }

  // open shows the panel. A page of a bundle now checks whether there is a proxy.
  async open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.sendButton.focus();
    if (this.plan.proxy !== "maybe" || this.asked || !this.plan.proxyURL) return;
    this.asked = true;
    this.able = await hasProxy(new URL(this.plan.proxyURL, document.baseURI).href);
    this.relayLabel.hidden = !this.able;
    this.refresh();
  }

  // object shows missing or invalid values. The reader may send the request nevertheless.
  object(problems: Problem[]) {
    this.dialog.dataset.checked = "";
    this.check();
    this.warn.hidden = false;
    this.warn.replaceChildren(make("strong", {}, problems.length === 1 ? "One thing is missing or wrong." : problems.length + " things are missing or wrong."),
      make("ul", {}, ...problems.slice(0, 5).map((p) => make("li", {}, make("button", { type: "button", className: "try-link", onclick: () => {
        for (let d = p.element?.closest("details"); d; d = d.parentElement?.closest("details")) d.open = true;
        p.element?.focus();
      } }, `${p.label} ${p.text}`.trim())))),
      textButton("", word("Send anyway"), () => this.send(true), "try-anyway"));
    problems[0].element?.focus();
  }

  async send(anyway: boolean) {
    if (this.stop) return;
    const problems = this.refresh();
    if (problems.length && !anyway) return this.object(problems);
    this.warn.hidden = true;
    const call = this.call(true);
    const proxyURL = this.relayed();
    const stop = this.stop = new AbortController();
    let timer = 0;
    const alive = () => { // a stream of events may last as long as data arrives
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(new Refused("The API took longer than a minute.", "The request was canceled.")), TIMEOUT);
    };
    alive();
    this.busy(true);
    this.answer.wait(!!proxyURL);
    let status = 0;
    try {
      const got = await request(call, { proxyURL, credentials: this.plan.credentials, signal: stop.signal });
      status = got.status;
      this.keep(status);
      await this.answer.show(got, (this.plan.path.split("/").filter((p) => p && !p.includes("{")).pop() || "response").replace(/[^\w-]+/g, "-"), alive);
      say(status + " " + (STATUS[status] || ""));
    } catch (error) {
      const told = stop.signal.aborted && stop.signal.reason instanceof Refused ? stop.signal.reason : error;
      if (told instanceof Refused) this.answer.fail(told.message, !proxyURL && this.able ? "Turn “Through this site” on: the server of this site calls the API then. " + told.advice : told.advice);
      else if (stop.signal.aborted) this.answer.fail("Cancelled.");
      else this.answer.fail("The request could not be sent: " + (told as Error).message);
      if (!status) this.keep(0);
    } finally {
      clearTimeout(timer);
      this.stop = null;
      this.busy(false);
      announce("try", { target: this.plan.method + " " + this.plan.path, status });
    }
  }

  busy(on: boolean) {
    const had = document.activeElement === (on ? this.sendButton : this.stopButton);
    this.sendButton.hidden = on;
    this.stopButton.hidden = !on;
    if (had) (on ? this.stopButton : this.sendButton).focus();
    if (on) this.answer.element.scrollIntoView({ block: "nearest" });
  }

  // keep adds the request to the history, without secrets.
  keep(status: number) {
    const { book } = this.form;
    const parameters: Record<string, string> = {}, shown: Pick<ParameterControl, "p" | "get">[] = [];
    for (const { p, key, get } of this.parameters) {
      const kept = p.in === "cookie" ? undefined : without(book, [p.schema], get(), p.name);
      if (kept === undefined) continue;
      parameters[key] = compactJSON(kept);
      shown.push({ p, get: () => kept });
    }
    const { server, variables: all } = this.server.save();
    const variables = Object.fromEntries(Object.entries(all).filter(([name]) => !secretName(name)));
    const { url } = makeCall(this.plan, { server: serverURL(this.plan.servers[server], variables), parameters: shown, proof: [], body: { kind: "none" } });
    const body = this.body ? saveBody(book, this.body.media, this.body.control, this.useBody()) : undefined;
    this.past.add({ at: new Date().toISOString(), status, server, variables, parameters, body, url });
  }

  history() {
    if (this.shown) return this.unhistory();
    this.shown = pastView(this.past, (entry) => { this.unhistory(); this.build(entry); say("The request was restored to the form."); }, () => this.unhistory());
    this.side.prepend(this.shown);
    this.side.scrollTop = 0;
    find("button", this.shown)?.focus();
  }
  unhistory() { this.shown?.remove(); this.shown = null; this.historyButton.focus(); }
}

// saveBody returns a body for the history. Text that is not JSON is stored unless it may contain a secret.
const saveBody = (book: Book, media: Media, body: BodyControl, sent: boolean): SavedBody => {
  const saved = body.save();
  const out: SavedBody = { type: media.type, sent };
  if (saved.value !== undefined) out.value = compactJSON(without(book, [media.schema], saved.value) ?? null);
  if (saved.raw === undefined) return out;
  try { out.raw = writeJSON(without(book, [media.schema], readJSON(saved.raw)) ?? null); } catch { if (!secretName(saved.raw)) out.raw = saved.raw; }
  return out;
};
const readSaved = (saved: SavedBody): Saved => ({ ...saved, value: saved.value === undefined ? undefined : readJSON(saved.value) });
