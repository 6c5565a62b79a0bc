import { load, start } from "./load";

declare const VALUES: { siteId: string };

start(() => load("https://cdn.usefathom.com/script.js", { "data-site": VALUES.siteId, "data-spa": "auto" }));
