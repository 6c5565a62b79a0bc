package sitesearch

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/site/route"
)

// Limits for searches.
const (
	limitDefault = 10
	searchLife   = 10 * time.Second // time limit of a search
	atOnce       = 4                // concurrent searches per processor
)

// Endpoint handles queries. It is safe for concurrent use.
type Endpoint struct {
	places chan struct{} // a semaphore for concurrent searches
}

// New returns an Endpoint.
func New() *Endpoint {
	return &Endpoint{places: make(chan struct{}, atOnce*runtime.GOMAXPROCS(0))}
}

// answer is the response to the dialog; web/theme/src/search/rank.ts has the same fields.
type answer struct {
	Hits []hit `json:"hits"`
	More bool  `json:"more"` // always false: every hit includes its text
}

type hit struct {
	Path    string   `json:"path"`
	Anchor  string   `json:"anchor"`
	Title   string   `json:"title"`
	Heading string   `json:"heading"`
	Crumbs  []string `json:"crumbs"`
	Snippet []piece  `json:"snippet"`
	Score   float64  `json:"score"` // 0 to 1: the best hit has 1
}

// piece is a part of a snippet, and whether it matches.
type piece [2]any

// ServeSite implements siteapi.Endpoint.
func (e *Endpoint) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		siteapi.Refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "Searches only support GET.")
		return
	}
	select {
	case e.places <- struct{}{}:
		defer func() { <-e.places }()
	default:
		w.Header().Set("Retry-After", "1")
		siteapi.Refuse(w, http.StatusServiceUnavailable, "busy", "Too many searches are running.")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), searchLife)
	defer cancel()
	asked := r.URL.Query()
	limit, err := strconv.Atoi(asked.Get("limit"))
	if err != nil || limit < 1 {
		limit = limitDefault
	}
	hits, err := s.Library.Search(ctx, sitereader.Query{Text: asked.Get("q"), Limit: min(limit, sitereader.MaxHits),
		Language: asked.Get("language"), Version: asked.Get("version"), Tag: asked.Get("tag"), Dialog: true, Anywhere: true})
	if err != nil {
		siteapi.RefuseFault(w, err)
		return
	}
	out := answer{Hits: make([]hit, len(hits))}
	for i, h := range hits {
		out.Hits[i] = hit{Path: h.Path, Anchor: h.Anchor, Title: h.Title, Heading: h.Heading, Crumbs: h.Crumbs,
			Snippet: pieces(h.Snippet, h.Marks), Score: h.Score}
	}
	send(w, r, out)
}

// pieces splits a snippet at its matches.
func pieces(text string, marks [][2]int) []piece {
	out, at := []piece{}, 0
	for _, m := range marks {
		if m[0] > at {
			out = append(out, piece{text[at:m[0]], false})
		}
		out = append(out, piece{text[m[0]:m[1]], true})
		at = m[1]
	}
	if at < len(text) {
		out = append(out, piece{text[at:], false})
	}
	return out
}

func send(w http.ResponseWriter, r *http.Request, out answer) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store") // the site's next version has different hits
	var to io.Writer = w
	if route.AcceptsGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		defer func() { _ = packed.Close() }() // fails only if the client has disconnected
		to = packed
	}
	_ = json.NewEncoder(to).Encode(out) // fails only if the client has disconnected
}
