// The button that signs a reader of a private site out. Pages are the same for everybody: the server sets a cookie together with the
// session, which says that there is one and not whose. Without scripts, /logout has the same button.
import { drawing, find, make, onPage, word } from "../page/page";

const own = find<HTMLScriptElement>("script[src*='_lectern/theme.']")?.src ?? document.baseURI;

onPage(() => {
  const bar = find(".navbar-end");
  if (!bar || find(".sign-out, .sign-in", bar) || !document.cookie.includes("lectern-signed-in=")) return;
  const button = make("button", { className: "icon-button", title: word("Sign out"), "aria-label": word("Sign out") },
    drawing("M9.5 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h3.5M15.5 8l4 4-4 4M19.5 12h-10", "line-icon"));
  bar.append(make("form", { className: "sign-out", method: "post", action: new URL("../logout", own).href }, button));
});
