// Announces messages to screen readers.
import { make } from "./page";

const said = make("span", { className: "said", role: "status" });
let timer: number | undefined;
export const say = (text: string) => {
  if (!said.isConnected) document.body.append(said);
  said.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(() => { said.textContent = text; }, 50); // a region that is cleared and filled at the same time is not read out
};
