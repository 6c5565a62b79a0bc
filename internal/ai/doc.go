// Package ai documents the layer of language models: agents that edit documentation, the assistant that answers
// readers, and the drivers for models.
//
// Prompts, tool calls and model output are handled here and nowhere else. Model output is untrusted input.
package ai
