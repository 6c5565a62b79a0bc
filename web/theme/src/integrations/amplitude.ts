import { load, page, start } from "./load";

declare const VALUES: { apiKey: string };

start(() =>
  load(`https://cdn.amplitude.com/script/${VALUES.apiKey}.js`, {}, () => {
    const amplitude = page.amplitude as { init(key: string, options: object): void };
    amplitude.init(VALUES.apiKey, { autocapture: true });
  }),
);
