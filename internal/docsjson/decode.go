package docsjson

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/jsontree"
	"github.com/lectern-docs/lectern/internal/nearest"
	"github.com/lectern-docs/lectern/internal/site"
)

// decoder turns the JSON tree into a Config; each method reads one part and reports what is wrong in it.
type decoder struct {
	cfg    *Config
	list   *diag.List
	legacy bool
}

// known are the keys of the site file.
var known = []string{
	"name", "description", "theme", "colors", "logo", "favicon", "appearance", "navbar", "footer", "navigation", "redirects", "api",
	"variables", "icons", "seo",
}

// silent are keys that are right but mean nothing to this reader yet, or are for other tools.
var silent = []string{
	"$schema", "fonts", "background", "styling", "thumbnails", "banner", "interaction", "contextual", "feedback", "metadata", "errors", "markdown",
	"search", "integrations", "assistant",
}

func (d *decoder) root(v *jsontree.Value) {
	for _, m := range v.Members {
		if !d.member(m) && !(d.legacy && d.legacyMember(m)) {
			d.list.Warnf(m.Pos(), "unknown-key", "%q is no key of the site file.", m.Key)
			d.list.Hint(d.nearest(m.Key))
		}
	}
	if v.Get("name") == nil {
		d.list.Warnf(v.Pos(), "missing-key", `The site file has no "name".`)
	}
	if v.Get("navigation") == nil {
		d.list.Warnf(v.Pos(), "missing-key", `The site file has no "navigation".`)
	}
}

// nearest is a hint for a key that is not known.
func (d *decoder) nearest(key string) string {
	keys := slices.Concat(known, silent)
	if d.legacy {
		keys = slices.Concat(keys, knownLegacy, silentLegacy)
	}
	if near := nearest.Word(key, slices.Values(keys)); near != "" {
		return "Did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

func (d *decoder) member(m jsontree.Member) bool {
	c := d.cfg
	switch m.Key {
	case "name":
		d.text(m.Key, m.Value, &c.Name)
	case "description":
		d.text(m.Key, m.Value, &c.Description)
	case "theme":
		d.text(m.Key, m.Value, &c.Theme)
	case "colors":
		d.colors(m.Value)
	case "logo":
		d.logo(m.Value)
	case "favicon":
		d.favicon(m.Value)
	case "appearance":
		d.appearance(m.Value)
	case "navbar":
		c.Navbar = d.navbar(m.Value)
	case "footer":
		c.Footer = d.footer(m.Value)
	case "navigation":
		d.navigation(m.Value)
	case "redirects":
		d.redirects(m.Value)
	case "api":
		d.api(m.Value)
	case "variables":
		d.variables(m.Value)
	case "icons":
		d.icons(m.Value)
	case "seo":
		if s := m.Value.Get("indexing"); s != nil {
			c.SEO.IndexAll = s.Str == "all"
		}
	default:
		return slices.Contains(silent, m.Key)
	}
	return true
}

// text reads a text; another kind is a warning and leaves the default.
func (d *decoder) text(name string, v *jsontree.Value, to *string) {
	if d.is(name, v, jsontree.String) {
		*to = strings.Join(strings.Fields(v.Str), " ")
	}
}

// is checks a value's kind. An absent (nil) or null value is not an error.
func (d *decoder) is(name string, v *jsontree.Value, want jsontree.Kind) bool {
	if v == nil || v.Kind == jsontree.Null {
		return false
	}
	if v.Kind != want {
		d.list.Warnf(v.Pos(), "wrong-type", "%q must be %s, not %s.", name, want, v.Kind)
		return false
	}
	return true
}

var hexColor = regexp.MustCompile(`^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

func (d *decoder) colors(v *jsontree.Value) {
	if !d.is("colors", v, jsontree.Object) {
		return
	}
	for key, to := range map[string]*string{"primary": &d.cfg.Colors.Primary, "light": &d.cfg.Colors.Light, "dark": &d.cfg.Colors.Dark} {
		c := v.Get(key)
		if !d.is("colors."+key, c, jsontree.String) {
			continue
		}
		if !hexColor.MatchString(c.Str) {
			d.list.Warnf(c.Pos(), "bad-color", "%q is no colour: write it as #RRGGBB.", c.Str)
			continue
		}
		*to = strings.ToLower(c.Str)
	}
}

func (d *decoder) logo(v *jsontree.Value) {
	l := &d.cfg.Logo
	if v.Kind == jsontree.String {
		l.Light, l.Dark = v.Str, v.Str
		return
	}
	if !d.is("logo", v, jsontree.Object) {
		return
	}
	d.text("logo.light", v.Get("light"), &l.Light)
	d.text("logo.dark", v.Get("dark"), &l.Dark)
	d.text("logo.href", v.Get("href"), &l.Href)
	if l.Light == "" {
		l.Light = l.Dark
	}
	if l.Dark == "" {
		l.Dark = l.Light
	}
}

// pair reads a text for both appearances, or one for each; the one that is missing is as the other.
func (d *decoder) pair(name string, v *jsontree.Value) (p site.Pair) {
	switch {
	case v.Is(jsontree.String):
		p.Light, p.Dark = v.Str, v.Str
	case d.is(name, v, jsontree.Object):
		d.text(name+".light", v.Get("light"), &p.Light)
		d.text(name+".dark", v.Get("dark"), &p.Dark)
		if p.Light == "" {
			p.Light = p.Dark
		}
		if p.Dark == "" {
			p.Dark = p.Light
		}
	}
	return p
}

func (d *decoder) favicon(v *jsontree.Value) {
	d.cfg.Favicon = d.pair("favicon", v)
}

func (d *decoder) appearance(v *jsontree.Value) {
	if !d.is("appearance", v, jsontree.Object) {
		return
	}
	d.cfg.Appearance.Strict = v.Get("strict").True()
	d.word("appearance.default", v.Get("default"), &d.cfg.Appearance.Default, "system", "light", "dark")
}

func (d *decoder) redirects(v *jsontree.Value) {
	if !d.is("redirects", v, jsontree.List) {
		return
	}
	for _, item := range v.Items {
		if !d.is("redirects[]", item, jsontree.Object) {
			continue
		}
		r := site.Redirect{Permanent: true, Pos: item.Pos()}
		d.text("source", item.Get("source"), &r.Source)
		d.text("destination", item.Get("destination"), &r.Destination)
		if p := item.Get("permanent"); p.Is(jsontree.Bool) {
			r.Permanent = p.True()
		}
		if r.Source == "" || r.Destination == "" {
			d.list.Warnf(item.Pos(), "bad-redirect", `A redirect needs "source" and "destination".`)
			continue
		}
		d.cfg.Redirects = append(d.cfg.Redirects, r)
	}
}
