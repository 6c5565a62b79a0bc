import { load, page, start } from "./load";

declare const VALUES: { id: string };

start(() =>
  load("https://chat-assets.frontapp.com/v1/chat.bundle.js", {}, () => {
    const chat = page.FrontChat as (command: string, options: object) => void;
    chat("init", { chatId: VALUES.id, useDefaultLauncher: true });
  }),
);
