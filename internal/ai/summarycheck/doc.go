// Package summarycheck compares an agent's description of its work with its changes: if a sentence claims a change, the
// files, texts and numbers in it must occur in the changes.
//
// Inputs: a summary in Markdown and the changed files. Outputs: the sentences that the changes do not support, each
// with the reason. It supports English only, and ignores sentences that it does not recognize as claims: a sentence
// that passes may still be wrong. It compares text with a diff rather than with other text, so the comparison is our
// own code.
package summarycheck
