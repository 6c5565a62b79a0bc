// Package guard filters what a model reads and writes: it removes prompt injection tricks from untrusted input, and
// reports secrets, scripts and files outside the agent's task in the model's output.
//
// Inputs: changed files, texts, and rules of the operator. Outputs: findings, some of which must block a proposal;
// texts that are safe to pass on. It never prints a secret that it found, calls a model, reads a file that it was
// not given, or takes more than linear time.
package guard
