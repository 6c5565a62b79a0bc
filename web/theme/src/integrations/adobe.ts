import { load, start } from "./load";

declare const VALUES: { launchUrl: string };

start(() => load(VALUES.launchUrl));
