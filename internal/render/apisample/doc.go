// Package apisample generates code samples for a request: cURL and the common HTTP libraries of about fifteen
// languages.
//
// Inputs: a Request whose values are generated or come from an API description. Outputs: source text that a reader
// can paste and run. It never runs or highlights code, and quotes every text from a description by the rules of the
// target language.
package apisample
