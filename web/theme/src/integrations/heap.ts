import { load, queue, start } from "./load";

declare const VALUES: { appId: string };

start(() => {
  const heap = queue("heap", ["track", "identify", "addUserProperties", "addEventProperties", "resetIdentity"]);
  heap.appid = VALUES.appId;
  heap.config ||= {};
  load(`https://cdn.heapanalytics.com/js/heap-${VALUES.appId}.js`);
});
