// Package htmlbuf writes HTML: constants of the program verbatim, everything else escaped.
//
// Inputs: constants from the code, strings from authors. Outputs: a Buffer with correctly escaped HTML. It never treats
// an author's string as markup, and does not depend on elements or components.
package htmlbuf
