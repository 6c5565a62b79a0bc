// Asks the assistant two questions in one chat, with a version of the AI SDK, and prints what the SDK understood.
// Arguments: the package, the address to ask, the key, the chat's id, and "whole" or "last": which messages are sent.
const [name, api, key, id, send] = process.argv.slice(2);
const ai = await import(name === "@ai-sdk/react" ? "ai" : name);
const transport = new ai.DefaultChatTransport({
  api,
  headers: { Authorization: `Bearer ${key}` },
  body: { fp: "anonymous", retrievalPageSize: 5 },
  // A common set-up: the server is expected to know what was said before.
  ...(send === "last" && { prepareSendMessagesRequest: ({ id, messages, body }) => ({ body: { ...body, id, messages: messages.slice(-1) } }) }),
});

async function withTransport(questions) {
  const messages = [];
  for (const text of questions) {
    messages.push({ id: `q${messages.length}`, role: "user", parts: [{ type: "text", text }] });
    const stream = await transport.sendMessages({ chatId: id, messages, trigger: "submit-message", messageId: undefined, abortSignal: undefined });
    let answer;
    for await (const message of ai.readUIMessageStream({ stream, terminateOnError: true })) answer = message;
    messages.push(answer);
  }
  return messages;
}

// useChat keeps its state in this class, which needs no browser.
async function withChat(questions) {
  const { Chat } = await import("@ai-sdk/react");
  const chat = new Chat({ id, transport });
  for (const text of questions) {
    await chat.sendMessage({ text });
    if (chat.error) throw chat.error;
  }
  return chat.messages;
}

const messages = await (name === "@ai-sdk/react" ? withChat : withTransport)(["How do I start?", "And then?"]);
console.log(JSON.stringify(messages.filter((m) => m.role === "assistant").map((m) => ({
  id: m.id,
  text: m.parts.filter((p) => p.type === "text").map((p) => p.text).join(""),
  thread: m.parts.find((p) => p.type === "data-thread")?.data.threadId,
  metadata: m.metadata?.threadId,
  sources: m.parts.filter((p) => p.type === "source-url").length,
}))));
