// Package didyoumean suggests the known word closest to a misspelled one.
//
// Inputs: an unknown word, and the known words. Outputs: the known word with the smallest edit distance, if the
// distance is small enough for a typo. It does not depend on what the words mean, and does not compare words of
// hundreds of letters.
package didyoumean
