// Asks the assistant two questions in one chat as useChat of AI SDK 4 does, and prints what the SDK understood.
// Arguments: the package, the address to ask, the key, the chat's id, and "whole" or "last": which messages are sent.
import { callChatApi, fillMessageParts, generateId } from "@ai-sdk/ui-utils";

const [name, api, key, id, send] = process.argv.slice(2);
const { processDataStream } = await import(name);

// useChat is a hook around callChatApi. It sends messages without their ids, unless it is told otherwise.
function payload(messages) {
  const sent = messages.map(({ role, content, parts }) => ({ role, content, parts }));
  return send === "last" ? sent.slice(-1) : sent;
}

// A second reader sees the same bytes: what useChat does not show, such as the data of each part, is compared with it.
let second;
async function fetchTwice(url, options) {
  const response = await fetch(url, options);
  const copy = response.clone();
  second = response.ok && (async () => {
    const seen = { text: "", thread: undefined, ended: 0 };
    await processDataStream({
      stream: copy.body,
      onTextPart: (text) => (seen.text += text),
      onDataPart: (list) => (seen.thread ??= list.find((one) => one.type === "thread")?.threadId),
      onErrorPart: (sentence) => { throw new Error(sentence); },
      onFinishMessagePart: () => seen.ended++,
    });
    return seen;
  })();
  return response;
}

const messages = [];
const answers = [];
for (const content of ["How do I start?", "And then?"]) {
  messages.push(...fillMessageParts([{ id: generateId(), role: "user", content }]));
  let data = [];
  let answer;
  await callChatApi({
    api,
    body: { id, messages: payload(messages), fp: "anonymous", retrievalPageSize: 5 },
    headers: { Authorization: `Bearer ${key}` },
    fetch: fetchTwice,
    generateId,
    lastMessage: messages.at(-1),
    restoreMessagesOnFailure() {},
    onUpdate: (update) => { data = update.data ?? data; },
    onFinish: (message) => { answer = message; },
  });
  const seen = await second;
  if (!answer || seen.text !== answer.content || seen.ended !== 1) throw new Error(`two readers differ: ${JSON.stringify({ answer, seen })}`);
  messages.push(answer);
  answers.push({
    id: answer.id,
    text: answer.parts.filter((p) => p.type === "text").map((p) => p.text).join(""),
    thread: data.find((one) => one.type === "thread")?.threadId,
    metadata: seen.thread,
    sources: answer.parts.filter((p) => p.type === "source").length,
  });
}
console.log(JSON.stringify(answers));
