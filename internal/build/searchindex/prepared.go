package searchindex

import "strings"

// Prepared is a page that is ready to be added to an index. It holds no more data than the index will store.
type Prepared struct {
	facet
	boost    int       // in hundredths
	marks    [2]uint16 // marks of its title and of its title in the navigation
	meta     []byte    // JSON: path, title, crumbs
	text     []byte    // JSON of each chunk: anchor, heading, text, code
	ends     []int32   // ends of the chunks in text
	terms    []string
	counts   []int32 // number of postings of each term
	postings []posting
}

// facet contains the properties by which a query can be filtered: language, version, tags.
type facet struct {
	Language string   `json:"l,omitempty"`
	Version  string   `json:"v,omitempty"`
	Tags     []string `json:"t,omitempty"`
}

// key returns a string that identifies the facet.
func (f *facet) key() string {
	return strings.Join(append([]string{f.Language, f.Version}, f.Tags...), "\x00")
}

// posting states how relevant a chunk of the page is for a term.
type posting struct {
	chunk int32
	level uint8 // 1 to 31
}
