// Package openai is the driver for models behind the Chat Completions API: OpenAI's own, gateways, and local servers.
//
// Inputs: a server's address, a key, a model's name; then conversations.
// Outputs: answers, streamed if the server streams.
// The package internal/ai/llm/wire handles retries, limits and faults. The vocabulary of this API never leaves the
// package.
//
// Servers differ in what they omit. Calls without ids get ids from their position in the conversation; without usage
// counts, the driver estimates tokens so that budgets still hold; a response that is not streamed is read whole.
package openai
