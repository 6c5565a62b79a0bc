// Package searchquality measures how well a site's search finds its pages.
//
// Inputs: a docs folder, and questions with the pages that answer them.
// Outputs: shares of the questions whose page is found, and the ones that failed.
// Never: changes the site, or searches in any other way than the search of its pages does.
package searchquality
