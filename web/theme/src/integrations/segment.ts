import { load, onVisit, page, queue, start } from "./load";

declare const VALUES: { key: string };

start(() => {
  const analytics = queue("analytics", ["page", "track", "identify", "group", "alias", "ready", "reset", "on", "once"]);
  analytics._writeKey = VALUES.key;
  load(`https://cdn.segment.com/analytics.js/v1/${VALUES.key}/analytics.min.js`);
  onVisit(() => (page.analytics as { page(): void }).page());
});
