// Package island holds the JavaScript of author components: the prelude that renders them in the server's engine (src/server) and the
// runtime that brings them to life in browsers (src/browser).
//
// In: nothing.
// Out: the files, and the order in which the prelude's are joined.
// Never: knows a page or a site; runs anything.
package island
