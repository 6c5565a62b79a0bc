// Package summarycheck compares what an agent says that it did with what it did: each sentence of a summary that claims a
// change must name files, texts and numbers that the changes have.
//
// Inputs: a summary in Markdown and the changed files. Outputs: the sentences that the changes do not support, each with
// the reason.
// It knows English only, and takes nothing for a claim that it does not recognize: a sentence that it lets pass may still
// be wrong. Written by hand, since what is compared is a diff and not a text.
package summarycheck
