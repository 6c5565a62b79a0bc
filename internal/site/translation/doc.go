// Package translation pairs pages with their translations and compares the two.
//
// Inputs: a docs folder whose navigation has languages. Outputs: the state of each translation, and findings about those
// that are behind their source or differ from it where the two must be equal.
// It never translates, and it does not read snippets: text that pages include has no state.
//
// A translated page names the source that it was made from in its front matter:
//
//	translatedFrom: v1-3f9a1c0b5d2e
package translation
