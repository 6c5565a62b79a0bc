package client

import (
	"context"
	"net/http"
)

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
