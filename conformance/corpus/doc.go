// Command corpus builds real documentation sites and compares each page with what an independent oracle says it must
// hold.
//
// Inputs: a folder of site folders, and a folder with the oracle's compare.mjs and its packages.
// Outputs: one line for each site and a total: pages built, findings by kind, agreement in words, code, headings and links.
// With a browser, what becomes of the selectors of authors' style sheets, and how many texts cannot be read.
// With -search, only how well the search of each site finds its pages.
// Then a line for each key that occurs in a site file: on how many sites, and whether it is honoured.
// Never: changes a site; is part of the tests: the sites are not in this repository.
package main
