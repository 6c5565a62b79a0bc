// What the scripts of all integrations share. The bundler replaces the members of VALUES and CONSENT, and ORIGIN, by
// texts; a value that the author left out is "".

/** CONSENT is an entry of the local storage that says that the reader agreed; no key = nobody has to. */
declare const CONSENT: { key: string; value: string };

type Global = Record<string, unknown>;

/** page is the window, as third-party scripts use it: as a place for names. */
export const page = window as unknown as Global;

/** load adds a script of another host. The address is a whole literal in each integration, so that tools find it. */
export function load(src: string, attributes: Record<string, string> = {}, then?: () => void): void {
  const script = document.createElement("script");
  script.async = true;
  for (const name in attributes) script.setAttribute(name, attributes[name]);
  if (then) script.onload = then;
  script.src = src;
  document.head.append(script);
}

/** queue makes an object whose methods remember their calls until the real script takes them. */
export function queue(name: string, methods: string[]): unknown[] & Global {
  const list = (page[name] ||= []) as unknown[] & Global;
  for (const method of methods) list[method] ||= (...all: unknown[]) => (list.push([method, ...all]), list);
  return list;
}

/** start runs an integration once the reader has agreed, if the site asks readers. */
export function start(run: () => void): void {
  let started = false;
  const attempt = () => {
    if (started || !agreed()) return;
    started = true;
    run();
  };
  attempt();
  // banners of consent store the answer and say nothing; the next page, or another tab, is early enough
  document.addEventListener("lectern:page", attempt);
  addEventListener("storage", attempt);
}

function agreed(): boolean {
  if (!CONSENT.key) return true;
  try {
    return localStorage.getItem(CONSENT.key) === CONSENT.value;
  } catch {
    return false; // storage is forbidden here
  }
}

/** onVisit runs now and after each navigation inside of the site. */
export function onVisit(run: () => void): void {
  run();
  document.addEventListener("lectern:page", run);
}
