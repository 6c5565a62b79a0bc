package bundlehost

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/site/route"
)

const (
	lostPage = "404.html"
	maxLost  = 1 << 20 // bytes read from it
)

// looksAround matches the inline script in an exported 404.html: the page is shown at any URL, so its script has to
// find the site's base.
var looksAround = lazyregexp.New(`(?s)<script [^>]*data-mark="_lectern/[^"]*"[^>]*>(.*?)</script>`)

// lost is the content policy of a version's 404.html, computed once.
type lost struct {
	once   sync.Once
	policy string // "" = the policy of all pages
}

// allowLost permits 404.html to run its own inline script and to set the base URL. Other inline scripts stay
// forbidden (C5).
func (s *shown) allowLost(h http.Header) {
	s.lost.once.Do(func() { s.lost.policy = lostPolicy(s.Version, s.sources()) })
	if s.lost.policy != "" {
		route.SetPolicy(h, s.lost.policy)
	}
}

func lostPolicy(v *bundlestore.Version, allow csp.Allow) string {
	f, ok, err := v.Lookup(lostPage)
	if err != nil || !ok {
		return ""
	}
	in, err := v.Open(lostPage, f, false)
	if err != nil {
		return "" // the error is reported when the page is sent
	}
	defer func() { _ = in.Close() }() // read only
	page, err := io.ReadAll(io.LimitReader(in, maxLost))
	if err != nil {
		return ""
	}
	found := looksAround.FindSubmatch(page)
	if found == nil {
		return ""
	}
	sum := sha256.Sum256(found[1])
	return csp.Page{Allow: allow, Script: "sha256-" + base64.StdEncoding.EncodeToString(sum[:]), Base: true}.Policy()
}
