import { load, start } from "./load";

declare const VALUES: { domain: string };
declare const ORIGIN: string;

start(() => load(ORIGIN + "/js/script.js", { "data-domain": VALUES.domain }));
