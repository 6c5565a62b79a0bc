// Package assistanttest has questions about our own documentation, and judges the answers of an assistant to them.
//
// Inputs: answers, from a server's assistant or from that of a bundle.
// Outputs: a verdict on each, and shares by half. A hash of the text puts each question into one of two halves: what is
// tuned is tuned with the first, and single results of the second are never looked at.
package assistanttest
