package searchindex

import "slices"

// Home is the language and version that readers of a site see first; "" = none.
type Home struct {
	Language string `json:"l,omitempty"`
	Version  string `json:"v,omitempty"`
}

// Home returns the part of the site to search if the caller specifies none. The zero value is the whole site.
func (x *Index) Home() Home {
	if x.entry.Home == nil {
		return Home{}
	}
	return *x.entry.Home
}

// Languages lists the languages of the index's pages, sorted.
func (x *Index) Languages() (out []string) {
	for _, f := range x.entry.Facets {
		if f.Language != "" {
			out = append(out, f.Language)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
