package docsjson

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// decoder converts a validated tree to a Config. Every value is of an allowed kind or absent.
type decoder struct {
	cfg  *Config
	list *diag.List
	free []site.Node // preallocated nodes
}

func (d *decoder) root(v *jsontree.Value) {
	c := d.cfg
	c.Navbar = d.navbar(v.Get("navbar"))
	c.Footer = d.footer(v.Get("footer"))
	c.Banner = d.banner(v.Get("banner"))
	c.Menu = d.menu(v.Get("contextual"))
	d.machines(v)
	d.api(v.Get("api"))
	d.redirects(v.Get("redirects"))
	d.gitVersions(v.Get("gitVersions"))
	d.navigation(v.Get("navigation")) // last, because languages inherit the frame around pages
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

// setNumber sets *to to a finite number that is not negative.
func setNumber(v *jsontree.Value, to *float64) {
	if v.Is(jsontree.Number) {
		if n, err := strconv.ParseFloat(v.Str, 64); err == nil && n >= 0 {
			*to = n
		}
	}
}

// colorPair decodes a pair of colours. A missing one stays empty.
func colorPair(v *jsontree.Value) (p site.Pair) {
	if v.Is(jsontree.String) {
		p = both(v)
	} else {
		textTo(v.Get("light"), &p.Light)
		textTo(v.Get("dark"), &p.Dark)
	}
	return site.Pair{Light: strings.ToLower(p.Light), Dark: strings.ToLower(p.Dark)}
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
