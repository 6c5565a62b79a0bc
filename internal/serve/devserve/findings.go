package devserve

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// finding is a diagnostic in the overlay's format.
type finding struct {
	diag.Diagnostic
	Excerpt string `json:"excerpt"` // source line; "" if there is none to show
	Mark    int    `json:"mark"`    // number of characters before the finding's position in the excerpt; -1 if unknown
}

// findings is the overlay's content for one page.
type findings struct {
	Page     []finding `json:"page"`
	Broken   bool      `json:"broken"` // the site file is invalid, so the page shows an older state
	Errors   int       `json:"errors"` // in the whole site
	Warnings int       `json:"warnings"`
	Checked  bool      `json:"checked"` // the counts reflect the current state of the site
}

// pageFindings responds with the findings for the page at ?path=.
func (s *Server) pageFindings(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	whole, broken, checked := s.findings, s.broken, s.checked
	s.mu.Unlock()
	out := findings{Page: []finding{}, Broken: len(broken) > 0, Checked: checked}
	for _, d := range whole {
		if d.Severity == diag.Error {
			out.Errors++
		} else {
			out.Warnings++
		}
	}
	list := append(diag.List{}, broken...)
	page, ok := s.live.PageAt(r.Context(), s.resolve(r.Context(), r.URL.Query().Get("path")).File)
	if ok {
		list = append(list, page.Findings...)
	}
	for _, d := range whole { // include those that only a build of all pages can find
		if checked && ok && d.File != "" && d.File == page.File || s.live.Pages() == 0 {
			list = append(list, d)
		}
	}
	seen := map[diag.Diagnostic]bool{}
	for _, d := range list {
		if !seen[d] {
			seen[d] = true
			out.Page = append(out.Page, s.excerpt(d))
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(out) // fails only if the client has disconnected
}

const (
	excerptFile  = 8 << 20 // bytes; no excerpts of larger files
	excerptWidth = 160     // characters
)

// excerpt adds the source line of a finding.
func (s *Server) excerpt(d diag.Diagnostic) finding {
	f := finding{Diagnostic: d, Mark: -1}
	if d.Line < 1 || !fs.ValidPath(d.File) {
		return f
	}
	info, err := fs.Stat(s.opt.Source, d.File)
	if err != nil || !info.Mode().IsRegular() || info.Size() > excerptFile {
		return f
	}
	data, err := fs.ReadFile(s.opt.Source, d.File)
	if err != nil {
		return f
	}
	for n := 1; n < d.Line; n++ {
		_, rest, more := bytes.Cut(data, []byte("\n"))
		if !more {
			return f
		}
		data = rest
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	text := []rune(strings.ToValidUTF8(strings.TrimRight(string(line), "\r"), "\uFFFD"))
	at := min(max(d.Column-1, 0), len(text))
	first := max(0, at-excerptWidth/2)
	f.Excerpt = string(text[first:min(len(text), first+excerptWidth)])
	if d.Column > 0 {
		f.Mark = at - first
	}
	return f
}
