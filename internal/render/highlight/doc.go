// Package highlight colours code: a language's name and code in, HTML per line out.
//
// In: the language as authors write it after a fence ("ts", "shell", "console"), the code.
// Out: one piece of HTML for each line, made of text and <span class="…"> with the short class names of class.go; the style sheet gives
// them their colours. The text of the pieces, joined with line breaks, is the code.
// Never: fails: what is unknown, too large or too slow is written as plain text; reads files; writes styles.
//
// The rules of the languages are chroma's, a few are our own; the engine that runs them is ours, because chroma's tries every rule at every
// character, gives up on a rule by the clock without telling and cannot be stopped.
package highlight
