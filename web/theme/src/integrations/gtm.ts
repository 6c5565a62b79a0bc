import { load, page, start } from "./load";

declare const VALUES: { tagId: string };

start(() => {
  const layer = (page.dataLayer ||= []) as unknown[];
  layer.push({ "gtm.start": Date.now(), event: "gtm.js" });
  load(`https://www.googletagmanager.com/gtm.js?id=${VALUES.tagId}`);
});
