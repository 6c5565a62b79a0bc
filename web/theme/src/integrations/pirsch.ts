import { load, start } from "./load";

declare const VALUES: { id: string };

start(() => load("https://api.pirsch.io/pa.js", { id: "pianjs", "data-code": VALUES.id }));
