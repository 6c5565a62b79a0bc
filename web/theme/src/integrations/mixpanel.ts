import { load, page, start } from "./load";

declare const VALUES: { projectToken: string; region: "" | "us" | "eu" | "in" };

start(() => {
  const hosts = { us: "https://api.mixpanel.com", eu: "https://api-eu.mixpanel.com", in: "https://api-in.mixpanel.com" };
  const options = { api_host: hosts[VALUES.region || "us"], track_pageview: "url-with-path" };
  // the script starts the instances in _i: token, options, name
  page.mixpanel ||= Object.assign([], { _i: [[VALUES.projectToken, options, "mixpanel"]], __SV: 1.2, people: [] });
  load("https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js");
});
