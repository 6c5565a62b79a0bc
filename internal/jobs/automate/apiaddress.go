package automate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/lectern-docs/lectern/internal/site/apichange"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// addressChange describes how a remote API description differs from an older copy.
type addressChange struct {
	address string
	async   bool   // the description has channels, which are not compared
	broken  bool   // one of the two versions cannot be read
	text    string // differences that affect clients; "" = none
}

// readAddress compares two versions of a remote API description. Without an older copy, the description counts as
// new.
func readAddress(ctx context.Context, address string, old, data []byte) addressChange {
	out := addressChange{address: address}
	before, after := &openapi.Spec{}, loadResponse(ctx, address, data)
	if old != nil {
		before = loadResponse(ctx, address, old)
	}
	switch {
	case before == nil || after == nil:
		out.broken = true
	case before.Async || after.Async:
		out.async = true
	default:
		out.text = apichange.Markdown(apichange.Specs(before, after))
	}
	return out
}

// loadResponse parses a description fetched from an address, by the same rules as a build. It returns nil if the
// description cannot be read.
func loadResponse(ctx context.Context, address string, data []byte) *openapi.Spec {
	none := newSourceFS(func(string) ([]byte, bool, error) { return nil, false, nil })
	spec, _ := (&openapi.Loader{FS: none, Fetch: func(context.Context, string) ([]byte, error) { return data, nil }}).
		Load(ctx, address)
	return spec
}

// digest identifies the result of the comparison, so that it is reported only once.
func (a addressChange) digest() string {
	text := a.text
	if a.broken {
		text = "broken"
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (a addressChange) addTo(c *apiComparison) {
	switch {
	case a.async:
	case a.broken:
		c.broken = append(c.broken, a.address)
	default:
		c.note(a.address, a.address, a.text)
	}
}
