import { load, onVisit, page, queue, start } from "./load";

declare const VALUES: { writeKey: string; apiHost: string };

start(() => {
  const events = queue("htevents", ["page", "track", "identify", "group", "reset", "ready"]);
  events._writeKey = VALUES.writeKey;
  events._loadOptions = { apiHost: VALUES.apiHost || "us-east-1.hightouch-events.com" };
  load("https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js");
  onVisit(() => (page.htevents as { page(): void }).page());
});
