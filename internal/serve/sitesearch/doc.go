// Package sitesearch answers the search dialog of a site's pages, one request for each query.
//
// Inputs: a query in the address, and the site it was made to.
// Outputs: hits as the dialog's own engine gives them, with the same ranking, because both read the same index.
// It never keeps a query, and never runs more than a few searches at once: the dialog searches by itself when it is
// refused.
package sitesearch
