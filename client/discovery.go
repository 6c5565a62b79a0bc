package client

import (
	"context"
	"net/http"
)

// SearchSite asks what fits some words.
type SearchSite struct {
	Query          string        `json:"query"`
	PageSize       int           `json:"pageSize,omitempty"`       // hits at most, 1 to 50; 0 for 10
	ScoreThreshold float64       `json:"scoreThreshold,omitempty"` // 0 to 1; weaker hits are left out
	Filter         *SearchFilter `json:"filter,omitempty"`         // nil for everything
}

// SearchFilter narrows a search; what is empty narrows nothing.
type SearchFilter struct {
	Version  string   `json:"version,omitempty"`
	Language string   `json:"language,omitempty"`
	Tag      string   `json:"tag,omitempty"`
	Groups   []string `json:"groups,omitempty"`
}

// SearchHit is a part of a page that fits.
type SearchHit struct {
	Content  string          `json:"content"`
	Path     string          `json:"path"` // of the page
	Metadata SearchHitDetail `json:"metadata"`
}

// SearchHitDetail tells where a hit stands.
type SearchHitDetail struct {
	Title   string   `json:"title"`
	Heading *string  `json:"heading"` // nil at the beginning of the page
	Anchor  *string  `json:"anchor"`
	Crumbs  []string `json:"crumbs"`
	URL     string   `json:"url"`
	Score   float64  `json:"score"` // the best hit has 1
}

// SitePage is a page in its Markdown form.
type SitePage struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// SearchSite searches the site that is live on a domain. A key with the scope discovery is enough.
func (c *Client) SearchSite(ctx context.Context, domain string, in SearchSite) ([]SearchHit, error) {
	out, err := submit[[]SearchHit](ctx, c, http.MethodPost, in, nil, "discovery", "v1", "search", domain)
	if err != nil {
		return nil, err
	}
	return *out, nil
}

// ReadSitePage reads a page of the site that is live on a domain.
func (c *Client) ReadSitePage(ctx context.Context, domain, path string) (*SitePage, error) {
	in := struct {
		Path string `json:"path"`
	}{path}
	return submit[SitePage](ctx, c, http.MethodPost, in, nil, "discovery", "v1", "page", domain)
}
