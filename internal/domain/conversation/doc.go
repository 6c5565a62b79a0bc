// Package conversation is what readers asked the assistant of a site, and what it answered.
//
// In: a question, its answer and how it came about.
// Out: nouns that the assistant, the store and the API share, their bounds, and how an answer counts.
// Never: who asked: no address, no name, nothing by which two conversations are known to be one reader's.
package conversation
