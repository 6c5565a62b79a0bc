// Package expr parses and evaluates the JavaScript expressions that pages use.
//
// Inputs: source bytes after an opening brace; expression source and the names in reach.
// Outputs: the end of an expression, values, syntax errors with offsets.
// Never: runs statements or author functions; those are beyond it (ErrBeyond) and belong to a JavaScript engine.
//
// It is one package with many files, since one language has to be read and computed in one place: scan* finds ends, lex*,
// parse, operator, primary, object, arrow and jsx* read, eval* and the files named after what is called compute.
package expr
