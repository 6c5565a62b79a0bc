// Package agenttools is what an agent works at: a draft of a docs folder and the tools to look at it and to change it.
//
// In: a draft; calls of tools by name, with input that a model wrote and nobody has checked.
// Out: text for the model, and a changed draft. The same calls on the same folder give the same draft, so that a record of calls is
// enough to come to the same files again.
// Never: a model, a store, Git, the network; a file outside of the draft; more changes than the limits allow.
package agenttools
