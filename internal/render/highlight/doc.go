// Package highlight adds syntax highlighting to code.
//
// Inputs: the language as authors write it after a fence ("ts", "shell", "console"), and the code. Outputs: one piece
// of HTML for each line, consisting of text and <span class="…"> with the short class names of class.go; the style
// sheet defines their colours. The text of the pieces, joined with line breaks, is the code. It never fails: code that
// is too large or too slow, or in an unknown language, is written as plain text. It never reads files or writes styles.
//
// Most language rules come from chroma, a few are our own. We run them with our own engine, because chroma's engine
// tries every rule at every character, silently abandons a rule after a timeout, and cannot be cancelled.
package highlight
