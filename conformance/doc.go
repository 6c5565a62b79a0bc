// Package conformance contains the test suites that define our Markdown dialect: the examples of the Markdown
// specifications, and our own fixtures for everything that MDX adds.
//
// Inputs: specification texts that the package manager fetched (tools/specs), fixtures in mdx/ and component/.
// Outputs: test results; known_failures.json lists intended differences, with the reason.
// Never: contains code that a program uses.
package conformance
