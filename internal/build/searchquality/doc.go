// Package searchquality measures how well a site's search finds its pages.
//
// Inputs: a docs folder, and questions with the pages that answer them. Outputs: shares of the questions whose page
// is found, and those that failed. It never changes the site, and searches in exactly the same way as the search of
// its pages.
package searchquality
