// Package expr knows JavaScript expressions as pages use them: where one ends, and what it is worth.
//
// In: source bytes after an opening brace; expression source and the names in reach.
// Out: the end of an expression, values, syntax errors with offsets.
// Never: runs statements or author functions; those are beyond it (ErrBeyond) and belong to a JavaScript engine.
//
// It is one room with many files, since one language has to be read and computed in one place: scan* finds ends, lex*,
// parse, operator, primary, object, arrow and jsx* read, eval* and the files named after what is called compute.
package expr
