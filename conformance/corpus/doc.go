// Command corpus builds real documentation sites and compares each page with the content that an independent oracle
// expects.
//
// Inputs: a folder of site folders, and a folder with the oracle's compare.mjs and its packages.
// Outputs: one line for each site and a total: pages built, findings by kind, agreement in words, code, headings and
// links. With a browser, also how many selectors in authors' style sheets match something, or why not, and the number
// of unreadable texts. With -search, only how well each site's search finds its pages. Then one line for each key in
// the sites' configuration files: on how many sites it occurs, and whether it is honoured.
// Never: changes a site, or runs as part of the tests, because the sites are not in this repository.
package main
