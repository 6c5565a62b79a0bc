// Package openai asks models that speak the Chat Completions API: OpenAI's own, those behind gateways, and local servers.
//
// In: a server's address, a key, a model's name; then conversations.
// Out: answers, streamed where the server streams.
// Never: retries, limits and faults of its own (internal/ai/llm/wire has them), or a word of this API outside.
//
// Servers differ in what they leave out. Without ids, calls get ids from their place in the conversation; without counts, tokens are
// estimated, so that budgets still hold; a server that does not stream is heard in one piece.
package openai
