// Package expr parses and evaluates the JavaScript expressions that pages use.
//
// Inputs: source bytes after an opening brace; the source of an expression and the names in scope. Outputs: the end
// of an expression, values, syntax errors with offsets. It never runs authors' statements or functions: they need a
// JavaScript engine, and evaluation fails with ErrBeyond.
//
// The package has many files because one language is parsed and evaluated in one place: scan* finds ends; lex*,
// parse, operator, primary, object, arrow and jsx* parse; eval* and the files named after the functions that they
// implement evaluate.
package expr
