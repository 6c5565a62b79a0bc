import { load, page, start } from "./load";

declare const VALUES: { measurementId: string };

start(() => {
  const layer = (page.dataLayer ||= []) as unknown[];
  // the script recognizes commands by their type, which must be Arguments
  const gtag = function () {
    layer.push(arguments);
  } as (...all: unknown[]) => void;
  page.gtag ||= gtag;
  gtag("js", new Date());
  gtag("config", VALUES.measurementId);
  load(`https://www.googletagmanager.com/gtag/js?id=${VALUES.measurementId}`);
});
