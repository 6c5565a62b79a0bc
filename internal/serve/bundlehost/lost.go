package bundlehost

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"regexp"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/site/route"
)

const (
	lostPage = "404.html"
	maxLost  = 1 << 20 // bytes of it that are looked at
)

// looksAround is the script inside of 404.html, as exports write it: the page is shown at any address, so it has to
// look for its site.
var looksAround = regexp.MustCompile(`(?s)<script [^>]*data-mark="_lectern/[^"]*"[^>]*>(.*?)</script>`)

// lost is what a version's 404.html may do, looked up once.
type lost struct {
	once   sync.Once
	policy string // "" = what every page may
}

// allowLost lets 404.html run its own script, and set the base that it finds. Other scripts inside of pages stay
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
		return "" // reported when it is sent
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
