// Package i18n holds the platform's own texts around a page, in every language that a site can have.
//
// Inputs: a language code as site files spell it.
// Outputs: the texts, the language code for browsers, and the direction of the script.
// It never holds an author's text, and it does not know where a text appears.
package i18n
