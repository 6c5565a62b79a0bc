// Package didyoumean finds what somebody meant who misspelt a name.
//
// In: a word that is not known, and the words that are.
// Out: the known word that takes the fewest single-letter edits to reach, when it is close enough to be meant.
// Never: knows what the words stand for, or compares words of hundreds of letters.
package didyoumean
