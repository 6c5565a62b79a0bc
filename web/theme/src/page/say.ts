// Tells readers who do not see the page what happened.
import { make } from "./page";

const said = make("span", { className: "said", role: "status" });
let timer: number | undefined;
export const say = (text: string) => {
  if (!said.isConnected) document.body.append(said);
  said.textContent = "";
  clearTimeout(timer);
  timer = setTimeout(() => { said.textContent = text; }, 50); // an emptied region that is filled in the same moment stays unread
};
