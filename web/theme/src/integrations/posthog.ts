import { load, page, start } from "./load";

declare const VALUES: { apiKey: string; apiHost: string; sessionRecording: string };
declare const ORIGIN: string;

start(() => {
  const given = (VALUES.apiHost || "https://us.i.posthog.com").replace(/\/+$/, "");
  const host = given.includes("://") ? given : "https://" + given;
  const path = new URL(host).pathname.replace(/\/$/, "");
  load(ORIGIN + path + "/static/array.js", { crossorigin: "anonymous" });
  const options = {
    api_host: host,
    capture_pageview: "history_change",
    person_profiles: "identified_only",
    disable_session_recording: VALUES.sessionRecording !== "true",
  };
  // the script starts the instances in _i: key, options, name
  page.posthog ||= Object.assign([], { _i: [[VALUES.apiKey, options, "posthog"]], __SV: 1, people: [] });
});
