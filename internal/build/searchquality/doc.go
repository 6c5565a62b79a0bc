// Package searchquality measures how well a site's search finds its pages.
//
// Inputs: a docs folder, and questions with the pages that answer them. Outputs: the share of questions whose page is
// found, and the questions that failed. It never changes the site, and searches in exactly the same way as the search
// of its pages.
package searchquality
