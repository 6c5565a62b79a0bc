// Package anthropic asks models that speak Anthropic's Messages API.
//
// In: a server's address, a key, a model's name; then conversations.
// Out: answers, streamed.
// Never: retries, limits and faults of its own (internal/ai/llm/wire has them), or a word of this API outside.
package anthropic
