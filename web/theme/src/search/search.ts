// The search engine as a script of its own: pages load it when a reader first searches, and call it through the window.
import { open } from "./engine";

window.lecternSearch = { open };
