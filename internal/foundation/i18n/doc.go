// Package i18n holds the words that the platform itself shows around a page, in the languages that a site can have.
//
// In: a language code as site files spell it.
// Out: the words, the code that browsers know, and the direction of the script.
// Never: holds a word of an author; knows where a word stands.
package i18n
