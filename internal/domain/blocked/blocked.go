package blocked

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
)

// Limits of stored entries.
const (
	MaxRows = 200                 // per project; entries with the fewest reports are removed first, newest first
	KeepFor = 30 * 24 * time.Hour // since the entry's last report
)

// Sources that are not origins.
const (
	Inline = "inline"
	Eval   = "eval"
	Blob   = "blob"
	Data   = "data"
)

// Entry is a source that was blocked for one kind of content.
type Entry struct {
	ProjectID           string
	Kind                string // script, style …, see csp.Kinds
	Source              string // an origin, or one of the constants
	Page                string // path of the page that the last report was about
	Reports             int64  // each network counts once a day; in an entry made from a report, the number to add
	FirstSeen, LastSeen time.Time
}

// New creates an entry from the fields of a report: the directive, the blocked address and the page's address. ok
// is false for reports that an author cannot fix, such as those caused by browser extensions.
func New(projectID, directive, blockedURI, page string) (e Entry, ok bool) {
	kind, _, _ := strings.Cut(strings.TrimSpace(directive), "-")
	e = Entry{ProjectID: projectID, Kind: kind, Source: source(blockedURI)}
	u, err := url.Parse(page)
	if err != nil || e.Source == "" || !slices.Contains(csp.Kinds(), kind) ||
		!strings.HasPrefix(directive, kind+"-src") {
		return Entry{}, false
	}
	e.Page = audience.Path(u.Path)
	return e, e.Page != ""
}

// source returns the part of a blocked address that is stored; "" if it is neither an origin nor a known keyword.
func source(text string) string {
	switch text = strings.TrimSpace(text); text {
	case Inline, Eval, Blob, Data:
		return text
	case "wasm-eval":
		return Eval
	}
	for _, scheme := range []string{Blob, Data} {
		if strings.HasPrefix(text, scheme+":") {
			return scheme
		}
	}
	socket := strings.HasPrefix(text, "ws://") || strings.HasPrefix(text, "wss://")
	if socket {
		text = "http" + strings.TrimPrefix(text, "ws")
	}
	origin, ok := capability.Origin(text)
	if !ok || len(origin) > csp.MaxSource {
		return ""
	}
	if socket {
		origin = "ws" + strings.TrimPrefix(origin, "http")
	}
	return origin
}

// Allow returns what the author has to add to docs.json to allow the source; "" if nothing can allow it.
func (e Entry) Allow() string {
	add := e.Source
	switch {
	case e.Source == Inline && e.Kind == "style":
		add = "'unsafe-inline'"
	case e.Source == Blob:
		add = "blob:"
	}
	if csp.Check(e.Kind, add) != nil {
		return ""
	}
	data, err := json.Marshal(map[string]any{"allow": map[string][]string{e.Kind: {add}}})
	if err != nil {
		return ""
	}
	return `"security": ` + strings.ReplaceAll(string(data), `\u0027`, "'")
}
