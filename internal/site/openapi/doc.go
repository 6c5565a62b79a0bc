// Package openapi reads API descriptions: OpenAPI 3.0 and 3.1, Swagger 2.0, and the channels of AsyncAPI.
//
// Inputs: the bytes of a description (JSON or YAML) from an untrusted author, and the files of the docs folder that
// it refers to. Outputs: a Spec with its operations, webhooks, channels and schemas in source order; findings with
// file, line and column. It never reads outside the given fs.FS, follows a reference to the network, or expands
// more of a schema than its limits allow.
//
// A description is parsed once into a tree of Values that keeps order and positions. Everything else is a view that
// is computed when a page is rendered. References are followed at that time, so recursion costs nothing until a
// limit ends it. A Spec is immutable once loaded; any number of goroutines may read it.
package openapi
