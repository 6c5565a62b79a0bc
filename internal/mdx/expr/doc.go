// Package expr parses and evaluates the JavaScript expressions that pages use.
//
// Inputs: source bytes after an opening brace; the source of an expression and the names in scope. Outputs: the end of
// an expression, values, syntax errors with offsets. It never runs authors' statements or functions. They need a
// JavaScript engine, so evaluation fails with ErrBeyond.
//
// The package has many files because it both parses and evaluates one language. The files scan* find the ends of
// expressions; lex*, parse, operator, primary, object, arrow and jsx* parse; eval* and the files that are named after
// the functions they implement evaluate.
package expr
