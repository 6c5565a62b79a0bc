// Package anthropic is the driver for models behind Anthropic's Messages API.
//
// Inputs: a server's address, a key, a model's name; then conversations.
// Outputs: answers, streamed.
// The package internal/ai/llm/wire handles retries, limits and faults. The vocabulary of this API never leaves the
// package.
package anthropic
