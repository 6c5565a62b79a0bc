// Package conversation defines readers' questions to the assistant of a site, and its answers.
//
// Inputs: a question, its answer, and how the answer was produced. Outputs: the types that the assistant, the store
// and the API share, their limits, and how an answer is counted. It never records who asked: no address, no name,
// nothing that links two conversations to the same reader.
package conversation
