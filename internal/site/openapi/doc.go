// Package openapi reads API descriptions: OpenAPI 3.0 and 3.1, Swagger 2.0, and the channels of AsyncAPI.
//
// In: the bytes of a description (JSON or YAML) from an author we do not trust, and the files of the docs folder that it refers to.
// Out: a Spec with its operations, webhooks, channels and schemas in the order they were written; findings with file, line and column.
// Never: reads outside the fs.FS it was given, follows a reference to the network, or expands more of a schema than its limits say.
//
// A description is read once into a tree of Values that keeps order and places. Everything else is a view that is made when a page is
// shown: references are followed then, so recursion costs nothing until a limit ends it. A Spec is never changed after it was
// loaded; any number of goroutines may read it.
package openapi
