// Package llm defines the interface between callers that need a language model and the drivers for models.
//
// Inputs: a conversation, the tools that the model may call, and the maximum length of its answer.
// Outputs: its answer: text, tool calls, the stop reason, and the usage.
// It contains no vendor's vocabulary (that stays in the driver), no prompt, no tool, and no billing.
package llm
