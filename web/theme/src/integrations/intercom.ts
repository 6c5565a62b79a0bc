import { load, onVisit, page, start } from "./load";

declare const VALUES: { appId: string };

start(() => {
  const stub = (...all: unknown[]) => stub.c(all);
  stub.q = [] as unknown[];
  stub.c = (all: unknown) => void stub.q.push(all);
  page.Intercom ||= stub;
  page.intercomSettings = { app_id: VALUES.appId };
  load(`https://widget.intercom.io/widget/${VALUES.appId}`);
  let first = true;
  onVisit(() => {
    if (!first) (page.Intercom as typeof stub)("update");
    first = false;
  });
});
