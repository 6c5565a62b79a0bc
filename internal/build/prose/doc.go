// Package prose checks the text of pages with Vale, using the rules in the repository.
//
// Inputs: sources of pages, the configuration of Vale next to them (.vale.ini) with its styles, the operator's
// program, and a Runner, which is a sandbox. Outputs: a finding at the position of each alert. It treats MDX pages
// as Markdown unless the configuration defines a format for them. It never downloads styles, and gives the program
// only copies of pages and styles, in a folder that is removed afterwards.
package prose
