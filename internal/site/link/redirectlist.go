package link

import (
	"encoding/json"

	"github.com/lectern-docs/lectern/internal/site"
)

// listed is an entry of the list of redirects that a build writes for servers (capability.RedirectsFile).
type listed struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
	Permanent   bool   `json:"permanent,omitempty"`
}

// ListWildcards returns the site's redirects with wildcards as JSON for a server, or nil if there are none.
func (t *Table) ListWildcards() ([]byte, error) {
	var list []listed
	for _, p := range t.redirects.patterns {
		list = append(list, listed{Source: p.to.Source, Destination: p.to.Destination, Permanent: p.to.Permanent})
	}
	if list == nil {
		return nil, nil
	}
	data, err := json.Marshal(list)
	return append(data, '\n'), err
}

// ParseRedirects parses a list written by ListWildcards. Invalid data results in no redirects.
func ParseRedirects(data []byte) *Redirects {
	var list []listed
	if json.Unmarshal(data, &list) != nil {
		list = nil
	}
	rules := make([]site.Redirect, len(list))
	for i, l := range list {
		rules[i] = site.Redirect{Source: l.Source, Destination: l.Destination, Permanent: l.Permanent}
	}
	return NewRedirects(rules)
}
