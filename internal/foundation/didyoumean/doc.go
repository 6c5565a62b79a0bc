// Package didyoumean suggests the known word closest to a misspelt one.
//
// Inputs: an unknown word, and the known words.
// Outputs: the known word with the smallest edit distance, if it is close enough to be a likely typo.
// It does not know what the words mean, and it does not compare words of hundreds of letters.
package didyoumean
