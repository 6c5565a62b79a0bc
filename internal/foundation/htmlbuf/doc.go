// Package htmlbuf writes HTML: literals of ours as they stand, everything else escaped.
//
// In: constants from the code, strings from authors.
// Out: a Buffer whose bytes are well-escaped HTML.
// Never: takes an author's string as markup; knows an element or a component.
package htmlbuf
