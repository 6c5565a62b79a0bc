// What scripts add to pages that work without them. One module for all pages; each part looks for its own elements.
import "./copy.js";
import "./countdown.js";
import "./live.js";
import "./menu.js";
