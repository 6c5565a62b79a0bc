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
	setText(v.Get("name"), &c.Name)
	setText(v.Get("description"), &c.Description)
	setText(v.Get("theme"), &c.Theme)
	d.look(v)
	c.Navbar = d.navbar(v.Get("navbar"))
	c.Footer = d.footer(v.Get("footer"))
	c.Banner = d.banner(v.Get("banner"))
	c.Menu = d.menu(v.Get("contextual"))
	d.machines(v)
	d.api(v.Get("api"))
	d.redirects(v.Get("redirects"))
	d.files(v)
	d.gitVersions(v.Get("gitVersions"))
	d.navigation(v.Get("navigation")) // last, because languages inherit the frame around pages
}

// setText sets *to to a string, with its white space collapsed. Other values leave *to unchanged.
func setText(v *jsontree.Value, to *string) {
	if v.Is(jsontree.String) {
		*to = strings.Join(strings.Fields(v.Str), " ")
	}
}

func setFlag(v *jsontree.Value, to *bool) {
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

// pair decodes one string for both appearances, or one for each. If one is missing, it equals the other.
func pair(v *jsontree.Value) (p site.Pair) {
	if v.Is(jsontree.String) {
		setText(v, &p.Light)
	} else {
		setText(v.Get("light"), &p.Light)
		setText(v.Get("dark"), &p.Dark)
	}
	if p.Light == "" {
		p.Light = p.Dark
	}
	if p.Dark == "" {
		p.Dark = p.Light
	}
	return p
}

// colorPair decodes a pair of colours. A missing one stays empty.
func colorPair(v *jsontree.Value) (p site.Pair) {
	if v.Is(jsontree.String) {
		p = pair(v)
	} else {
		setText(v.Get("light"), &p.Light)
		setText(v.Get("dark"), &p.Dark)
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
		setText(item.Get("source"), &r.Source)
		setText(item.Get("destination"), &r.Destination)
		setFlag(item.Get("permanent"), &r.Permanent)
		if r.Source == "" || r.Destination == "" {
			d.list.Warnf(item.Pos(), "bad-redirect", `A redirect needs "source" and "destination".`)
			continue
		}
		d.cfg.Redirects = append(d.cfg.Redirects, r)
	}
}

// files collects the style sheets and scripts that the file names.
func (d *decoder) files(v *jsontree.Value) {
	for _, from := range []*jsontree.Value{v.Get("styling").Get("css"), v.Get("custom").Get("css"),
		v.Get("customCSS")} {
		d.cfg.Styles = append(d.cfg.Styles, named(from)...)
	}
	for _, from := range []*jsontree.Value{v.Get("custom").Get("js"), v.Get("customJS")} {
		d.cfg.Scripts = append(d.cfg.Scripts, named(from)...)
	}
}

// named decodes a path or a list of paths.
func named(v *jsontree.Value) (out []File) {
	items := []*jsontree.Value{v}
	if v.Is(jsontree.List) {
		items = v.Items
	}
	for _, item := range items {
		if path := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(item.Text()), "./"), "/"); path != "" {
			out = append(out, File{Path: path, Pos: item.Pos()})
		}
	}
	return out
}
