// Package llmstxt writes the two lists of a site for language models: llms.txt, which names its pages, and llms-full.txt, which holds them.
//
// In: the site's name, description and note, and its pages in sections, in reading order.
// Out: text of a bounded length; what had to be left out is said in it.
// Never: decides which pages may be named, or where they are.
package llmstxt
