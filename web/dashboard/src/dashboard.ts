// The dashboard's scripts. Pages work without them. There is one module for all pages; each part looks for its own
// elements.
import "./copy";
import "./countdown";
import "./live";
import "./menu";
import "./send";
