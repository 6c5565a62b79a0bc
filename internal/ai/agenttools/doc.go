// Package agenttools provides the tools with which an agent reads, checks and changes a draft of a docs folder.
//
// Inputs: a draft; tool calls by name, with unvalidated input from a model. Outputs: text for the model, and a changed
// draft. The same calls on the same folder give the same draft, so a record of the calls is enough to restore the
// files. It never uses a model, a store, Git or the network, never touches a file outside the draft, and never makes
// more changes than the limits allow.
package agenttools
