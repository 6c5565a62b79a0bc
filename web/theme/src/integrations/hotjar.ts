import { load, page, start } from "./load";

declare const VALUES: { hjid: string; hjsv: string };

start(() => {
  const hj = (...all: unknown[]) => void hj.q.push(all);
  hj.q = [] as unknown[];
  page.hj ||= hj;
  page._hjSettings = { hjid: Number(VALUES.hjid), hjsv: Number(VALUES.hjsv) };
  load(`https://static.hotjar.com/c/hotjar-${VALUES.hjid}.js?sv=${VALUES.hjsv}`);
});
