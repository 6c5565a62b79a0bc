// Package aistream is the wire form of an assistant's answer: the UI message stream of the AI SDK, version 1, which its chat clients read
// unchanged, and the data stream of its version 4.
//
// In: the parts of an answer as they are made.
// Out: server-sent events, one JSON object each, and [DONE], or lines of the older form; parts read back from such a stream, strictly.
// Never: knows what an answer says, HTTP, or how long a reader may take.
package aistream
