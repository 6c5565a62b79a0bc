// The search engine as a separate script. Pages load it when a reader first searches, and call it through the window.
import { open } from "./engine";

window.lecternSearch = { open };
