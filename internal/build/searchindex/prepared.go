package searchindex

import "strings"

// Prepared is a page ready to be added. It holds no more than the index will.
type Prepared struct {
	facet
	boost    int       // in hundredths
	marks    [2]uint16 // of its title and its title in the navigation
	meta     []byte    // JSON: path, title, crumbs
	text     []byte    // of each chunk, JSON: anchor, heading, text, code
	ends     []int32   // of the chunks in text
	terms    []string
	counts   []int32 // postings of each term
	postings []posting
}

// facet is what a question may be narrowed by: language, version, tags.
type facet struct {
	Language string   `json:"l,omitempty"`
	Version  string   `json:"v,omitempty"`
	Tags     []string `json:"t,omitempty"`
}

// key returns the same for the same facet.
func (f *facet) key() string {
	return strings.Join(append([]string{f.Language, f.Version}, f.Tags...), "\x00")
}

// posting says how much a chunk of the page is about a term.
type posting struct {
	chunk int32
	level uint8 // 1 to 31
}
