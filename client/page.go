package client

import (
	"net/url"
	"strconv"
)

// Page asks for one page of a list.
type Page struct {
	Limit  int    // at most this many, up to 100; 0 for the server's default
	Cursor string // NextCursor of the page before; "" for the first
}

func (p Page) query() url.Values {
	q := url.Values{}
	if p.Limit != 0 {
		q.Set("limit", strconv.Itoa(p.Limit))
	}
	if p.Cursor != "" {
		q.Set("cursor", p.Cursor)
	}
	return q
}
