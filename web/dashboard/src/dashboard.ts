// What scripts add to pages that work without them. One module for all pages; each part looks for its own elements.
import "./copy";
import "./countdown";
import "./live";
import "./menu";
import "./send";
