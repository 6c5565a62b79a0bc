import { load, page, start } from "./load";

declare const VALUES: { apiKey: string };

start(() =>
  load("https://cdn.logrocket.io/LogRocket.min.js", { crossorigin: "anonymous" }, () => {
    (page.LogRocket as { init(id: string): void }).init(VALUES.apiKey);
  }),
);
