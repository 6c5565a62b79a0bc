// Shared by the scripts of all integrations. The bundler replaces ORIGIN and the members of VALUES and CONSENT by
// strings; a value that the author left out is "".

/** CONSENT is an entry of the local storage which records that the reader agreed; key "" = no consent needed. */
declare const CONSENT: { key: string; value: string };

type Global = Record<string, unknown>;

/** page is the window, in which third-party scripts define names. */
export const page = window as unknown as Global;

/** load adds a script from another host. Each integration has the URL as a complete literal, so that tools can find it. */
export function load(src: string, attributes: Record<string, string> = {}, then?: () => void): void {
  const script = document.createElement("script");
  script.async = true;
  for (const name in attributes) script.setAttribute(name, attributes[name]);
  if (then) script.onload = then;
  script.src = src;
  document.head.append(script);
}

/** queue creates an object whose methods record their calls until the real script processes them. */
export function queue(name: string, methods: string[]): unknown[] & Global {
  const list = (page[name] ||= []) as unknown[] & Global;
  for (const method of methods) list[method] ||= (...all: unknown[]) => (list.push([method, ...all]), list);
  return list;
}

/** start runs an integration once the reader has agreed, if the site requires consent. */
export function start(run: () => void): void {
  let started = false;
  const attempt = () => {
    if (started || !agreed()) return;
    started = true;
    run();
  };
  attempt();
  // consent banners store the answer without an event; checking on the next page or in another tab is enough
  document.addEventListener("lectern:page", attempt);
  addEventListener("storage", attempt);
}

function agreed(): boolean {
  if (!CONSENT.key) return true;
  try {
    return localStorage.getItem(CONSENT.key) === CONSENT.value;
  } catch {
    return false; // storage is blocked
  }
}

/** onVisit calls the function now and after each navigation inside the site. */
export function onVisit(run: () => void): void {
  run();
  document.addEventListener("lectern:page", run);
}
