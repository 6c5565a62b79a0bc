// Package rules is a rule-based stand-in for a language model. It needs no network and understands a small set of
// requests, listed in docs/guides/agent-builtin.mdx, which it carries out with the tools maintain, check and
// finish.
//
// Inputs: a conversation. It reads only people's messages as requests; tool results are data. Outputs: the next
// tool call, or an answer that states what it cannot do. A request is first read strictly; what remains is read
// loosely and only proposed. It never carries out a guess that the person has not confirmed, never carries out part
// of a request that contains a restriction it does not understand, and keeps no state: the same conversation gets
// the same answer.
package rules
