// Package conformance holds suites that say what the dialect is: the examples of the Markdown specifications, and our
// own fixtures for everything that MDX adds.
//
// Inputs: specification texts that the package manager fetched (tools/specs), fixtures in mdx/ and component/.
// Outputs: test results; known_failures.json lists what differs on purpose, with the reason.
// Never: holds code that a program uses.
package conformance
