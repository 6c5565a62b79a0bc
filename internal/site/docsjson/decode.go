package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// decoder converts a validated tree to a Config. Every value is of an allowed kind or absent.
type decoder struct {
	cfg  *Config
	list *diag.List

	// of the navigation
	entries map[string]*shape // the shapes of entries, by name key
	now     entry             // the entry whose settings are being decoded
	free    []site.Node       // preallocated nodes
}

func (d *decoder) root(v *jsontree.Value) {
	d.machines(v)
	d.redirects(v.Get("redirects"))
	d.gitVersions(v.Get("gitVersions"))
}

// setText sets *to to a string, with its white space collapsed. Other values leave *to unchanged.
func textTo(v *jsontree.Value, to *string) {
	if v.Is(jsontree.String) {
		*to = strings.Join(strings.Fields(v.Str), " ")
	}
}

func flagTo(v *jsontree.Value, to *bool) {
	if v.Is(jsontree.Bool) {
		*to = v.True()
	}
}

// metas returns the members of an object with their texts, in order.
func metas(v *jsontree.Value) (out []site.Meta) {
	if v == nil {
		return nil
	}
	for _, m := range v.Members {
		if text := strings.Join(strings.Fields(m.Value.Text()), " "); text != "" {
			out = append(out, site.Meta{Name: m.Key, Content: text})
		}
	}
	return out
}

func (d *decoder) redirects(v *jsontree.Value) {
	if v == nil {
		return
	}
	for _, item := range v.Items {
		r := site.Redirect{Permanent: true, Pos: item.Pos()}
		textTo(item.Get("source"), &r.Source)
		textTo(item.Get("destination"), &r.Destination)
		flagTo(item.Get("permanent"), &r.Permanent)
		if r.Source == "" || r.Destination == "" {
			d.list.Warnf(item.Pos(), "bad-redirect", `A redirect needs "source" and "destination".`)
			continue
		}
		d.cfg.Redirects = append(d.cfg.Redirects, r)
	}
}
