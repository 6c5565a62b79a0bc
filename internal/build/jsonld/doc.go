// Package jsonld describes a page to search engines as a JSON-LD graph in the vocabulary of schema.org.
//
// Inputs: facts about the site and the page.
// Outputs: one JSON object that is safe inside a <script> element: it contains no "<".
// Never: depends on HTML, or decides which pages may be indexed.
package jsonld
