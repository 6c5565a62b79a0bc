// Package jsonld describes a page to search engines as a JSON-LD graph in the vocabulary of schema.org.
//
// Inputs: facts about the site and the page. Outputs: one JSON object that is safe inside a <script> element,
// because it contains no "<". It does not depend on HTML, and does not decide which pages may be indexed.
package jsonld
