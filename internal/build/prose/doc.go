// Package prose checks the text of pages with Vale, by the rules that a repository has for it.
//
// Inputs: sources of pages, the configuration of Vale beside them (.vale.ini) with its styles, the operator's program, and a
// Runner, which is a sandbox. Outputs: a finding at the place of each alert.
// It reads MDX pages as Markdown unless the configuration has a format for them. It never downloads styles, and it gives the
// program copies of pages and styles only, in a folder that is removed afterwards.
package prose
