package shell

import "net/http"

// ParsePages parses every page and returns the number of pages.
func ParsePages(board http.Handler) int {
	all := board.(*Board).pages
	for _, page := range all {
		page()
	}
	return len(all)
}
