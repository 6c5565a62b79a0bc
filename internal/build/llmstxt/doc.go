// Package llmstxt writes the two lists of a site for language models: llms.txt, which links its pages, and
// llms-full.txt, which contains them.
//
// Inputs: the site's name, description and note, and its pages in sections, in reading order. Outputs: text of
// limited length, which states what was left out. It does not decide which pages may be listed, or their addresses.
package llmstxt
