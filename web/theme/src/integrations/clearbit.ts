import { load, start } from "./load";

declare const VALUES: { publicApiKey: string };

start(() =>
  load(`https://tag.clearbitscripts.com/v1/${VALUES.publicApiKey}/tags.js`, {
    referrerpolicy: "strict-origin-when-cross-origin",
  }),
);
