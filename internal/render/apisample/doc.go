// Package apisample writes a request as code: cURL and the usual HTTP libraries of some fifteen languages.
//
// In: a Request whose values are made up or taken from an API description.
// Out: source text that a reader can paste and run.
// Never: runs or highlights code; every text from a description is quoted by the rules of the language it stands in.
package apisample
