package layout

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/render/contract"
)

// id writes an id from package contract unless the page's text uses it. For example, links to a heading "Footer" must
// lead to the heading.
func (s *pageWriter) id(name string) {
	if !s.taken[name] {
		s.d.Attr("id", name)
	}
}

// active marks the current entry for authors' CSS. Readers rely on aria-current instead.
func (s *pageWriter) active(current bool) {
	if current {
		s.d.Raw(` data-active="true"`)
	}
}

// contractIDs returns the ids in contract.IDs that a page's parts use, or nil.
func contractIDs(parts ...[]byte) (taken map[string]bool) {
	const mark = ` id="`
	for _, part := range parts {
		for {
			_, rest, ok := bytes.Cut(part, []byte(mark))
			if !ok {
				break
			}
			end := bytes.IndexByte(rest, '"')
			if end < 0 {
				break
			}
			if _, known := slices.BinarySearchFunc(contract.IDs, rest[:end], compareID); known {
				if taken == nil {
					taken = map[string]bool{}
				}
				taken[string(rest[:end])] = true
			}
			part = rest[end:]
		}
	}
	return taken
}

func compareID(id string, found []byte) int { return strings.Compare(id, string(found)) }
