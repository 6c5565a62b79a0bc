// Package openapi reads API descriptions: OpenAPI 3.0 and 3.1, Swagger 2.0, and the channels of AsyncAPI.
//
// Inputs: the bytes of a description (JSON or YAML) from an untrusted author, and the files in the docs folder that it
// refers to. Outputs: a Spec with its operations, webhooks, channels and schemas in source order; findings with file,
// line and column. It never reads outside the given fs.FS and never follows a reference to the network. It never
// expands more of a schema than the limits allow.
//
// A description is parsed once into a tree of Values that keeps order and positions. Everything else is a view that is
// computed when a page is rendered. References are followed only at that time, up to a limit, so recursive schemas cost
// nothing before. A Spec is immutable once loaded, and any number of goroutines may read it.
package openapi
