// The sign-out button of a private site. Pages are the same for all readers, so the server sets a second cookie with the session,
// which says that a session exists but not whose. Without scripts, /logout has the same button.
import { drawing, find, make, onPage, word } from "../page/page";

const own = find<HTMLScriptElement>("script[src*='_lectern/theme.']")?.src ?? document.baseURI;

onPage(() => {
  const bar = find(".navbar-end");
  if (!bar || find(".sign-out, .sign-in", bar) || !document.cookie.includes("lectern-signed-in=")) return;
  const button = make("button", { className: "icon-button", title: word("Sign out"), "aria-label": word("Sign out") },
    drawing("M9.5 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h3.5M15.5 8l4 4-4 4M19.5 12h-10", "line-icon"));
  bar.append(make("form", { className: "sign-out", method: "post", action: new URL("../logout", own).href }, button));
});
