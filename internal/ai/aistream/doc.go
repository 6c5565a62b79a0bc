// Package aistream encodes and decodes the wire format of an assistant's answer: the UI message stream of the AI SDK,
// version 1, which its chat clients read unchanged, and the data stream of its version 4.
//
// Inputs: the parts of an answer as they are produced. Outputs: server-sent events, one JSON object each, and [DONE],
// or lines of the older format; parts parsed strictly from such a stream. It knows nothing about the content of an
// answer, HTTP or timeouts.
package aistream
