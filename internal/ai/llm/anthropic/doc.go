// Package anthropic is the driver for models behind Anthropic's Messages API.
//
// Inputs: a server's address, a key, a model's name; then conversations.
// Outputs: answers, streamed.
// Retries, limits and faults are in internal/ai/llm/wire. The vocabulary of this API never leaves the package.
package anthropic
