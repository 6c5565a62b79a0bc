// Package rules is a model that is none: it needs no network, and understands a small set of requests, which docs/guides/agent-builtin.mdx
// lists. It does them with the tools maintain, check and finish.
//
// In: a conversation. Only what people asked for in it is read as a request; results of tools are data.
// Out: the next call, or an honest answer about what it cannot do.
// Never: guesses what was meant, takes a part of a request that it understands while a restriction in it is one that it does not, or
// keeps anything: the same conversation has the same answer.
package rules
