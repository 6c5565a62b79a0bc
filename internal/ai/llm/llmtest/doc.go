// Package llmtest provides model servers for tests, and the conformance suite that every model driver passes.
//
// Inputs: a script with the model's answer at each turn of a conversation, and the errors that precede the answer.
// Outputs: a server on loopback that implements one of the two wire formats strictly and plays the script; Run, the
// suite. It never accepts a request that the real server would refuse, and its answers never depend on the number of
// requests.
//
// A server answers by position: the number of model turns in the request selects the step. A client that retries, or
// that starts again after a crash with the same conversation, gets the same answer.
package llmtest
