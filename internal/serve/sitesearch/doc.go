// Package sitesearch serves the search dialog of a site's pages, one request for each query.
//
// Inputs: a query in the URL, and its site. Outputs: hits in the format that the dialog's own engine uses, with the
// same ranking, because both read the same index. It never stores a query, and it limits the number of concurrent
// searches: if a search is rejected, the dialog searches in the browser instead.
package sitesearch
