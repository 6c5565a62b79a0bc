import { load, queue, start } from "./load";

declare const VALUES: { publicApiKey: string };

start(() => {
  queue("ko", ["identify", "track", "removeListeners", "on", "off", "qualify", "ready"]);
  load(`https://cdn.getkoala.com/v1/${VALUES.publicApiKey}/sdk.js`);
});
