// Package llm is the contract between whoever needs a language model and the drivers that reach one.
//
// In: a conversation, what the model may call, and how long its answer may be.
// Out: its answer: text, calls, why it stopped, and what it cost.
// Never: a vendor's words (they stay in the driver), a prompt, a tool, or who pays.
package llm
