// Package llmtest has model servers for tests, and the one suite that every driver of a model passes.
//
// In: a script: what the model says at each place of a conversation, and what goes wrong before it does.
// Out: a server on loopback that speaks one of the two wire formats strictly and plays the script; Run, the suite.
// Never: a request that the real server would refuse taken as good, or an answer that depends on how often it was asked for.
//
// A server answers by place: the number of the model's turns in the request chooses the step. Whoever asks again, or starts anew after a
// crash with the same conversation, hears the same answer.
package llmtest
