// Package translation pairs pages with their translations and compares the two.
//
// Inputs: a docs folder whose navigation has languages. Outputs: the state of each translation, and findings about
// translations that are older than their source or differ from it in parts that must be equal. It never translates. It
// does not read snippets, so text that pages include from snippets has no state.
//
// The front matter of a translated page identifies the version of the source from which the translation was made:
//
//	translatedFrom: v1-3f9a1c0b5d2e
package translation
