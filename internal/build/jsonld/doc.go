// Package jsonld describes a page to search engines as a JSON-LD graph in the words of schema.org.
//
// In: what is known of the site and the page.
// Out: one JSON object that may stand in a <script> element: no "<" is in it.
// Never: knows HTML, or which pages may be found.
package jsonld
