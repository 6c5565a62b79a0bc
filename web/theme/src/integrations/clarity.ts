import { load, page, start } from "./load";

declare const VALUES: { projectId: string };

start(() => {
  const clarity = (...all: unknown[]) => void clarity.q.push(all);
  clarity.q = [] as unknown[];
  page.clarity ||= clarity;
  load(`https://www.clarity.ms/tag/${VALUES.projectId}`);
});
