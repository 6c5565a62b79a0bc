// Package assistanttest contains questions about our own documentation and judges an assistant's answers to them.
//
// Inputs: answers from a server's assistant or from a bundle's.
// Outputs: a verdict on each answer, and the share of right answers in each half. A hash of the text puts each question
// into one of two halves: the assistant is tuned with the first, and individual results of the second are never
// inspected.
package assistanttest
