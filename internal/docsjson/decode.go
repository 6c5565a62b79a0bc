package docsjson

import (
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/site"
)

// decoder turns the JSON tree into a Config; each method reads one part and reports what is wrong in it.
type decoder struct {
	cfg    *Config
	list   *diag.List
	legacy bool
}

// silent are keys that are right but mean nothing to this reader yet, or are for other tools.
const silent = " $schema fonts background styling thumbnails banner interaction contextual metadata errors " +
	"markdown search integrations assistant "

// silentLegacy are the older form's keys of that sort.
const silentLegacy = " modeToggle topAnchor analytics feedback versions font layout sidebar primaryTab backgroundImage rounded " +
	"isWhiteLabeled eyebrow codeBlock topbar customCSS customJS "

func (d *decoder) root(v *value) {
	for _, m := range v.members {
		if !d.member(m) && !(d.legacy && d.legacyMember(m)) {
			d.list.Warnf(m.pos, "unknown-key", "%q is no key of the site file.", m.key)
		}
	}
	if v.get("name") == nil {
		d.list.Warnf(v.pos, "missing-key", `The site file has no "name".`)
	}
	if v.get("navigation") == nil {
		d.list.Warnf(v.pos, "missing-key", `The site file has no "navigation".`)
	}
}

func (d *decoder) member(m member) bool {
	c := d.cfg
	switch m.key {
	case "name":
		d.text(m.key, m.val, &c.Name)
	case "description":
		d.text(m.key, m.val, &c.Description)
	case "theme":
		d.text(m.key, m.val, &c.Theme)
	case "colors":
		d.colors(m.val)
	case "logo":
		d.logo(m.val)
	case "favicon":
		d.favicon(m.val)
	case "appearance":
		d.appearance(m.val)
	case "navbar":
		c.Navbar = d.navbar(m.val)
	case "footer":
		c.Footer = d.footer(m.val)
	case "navigation":
		d.navigation(m.val)
	case "redirects":
		d.redirects(m.val)
	case "api":
		d.api(m.val)
	case "variables":
		d.variables(m.val)
	case "icons":
		d.icons(m.val)
	case "seo":
		if s := m.val.get("indexing"); s != nil {
			c.IndexAll = s.str == "all"
		}
	default:
		return strings.Contains(silent, " "+m.key+" ")
	}
	return true
}

// text reads a text; another kind is a warning and leaves the default.
func (d *decoder) text(name string, v *value, to *string) {
	if d.is(name, v, text) {
		*to = strings.Join(strings.Fields(v.str), " ")
	}
}

// is checks a value's kind. An absent (nil) or null value is not an error.
func (d *decoder) is(name string, v *value, want kind) bool {
	if v == nil || v.kind == null {
		return false
	}
	if v.kind != want {
		d.list.Warnf(v.pos, "wrong-type", "%q must be %s, not %s.", name, want, v.kind)
		return false
	}
	return true
}

func (v *value) bool() bool { return v != nil && v.kind == boolean && v.truth }

var hexColor = regexp.MustCompile(`^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

func (d *decoder) colors(v *value) {
	if !d.is("colors", v, object) {
		return
	}
	for key, to := range map[string]*string{"primary": &d.cfg.Colors.Primary, "light": &d.cfg.Colors.Light, "dark": &d.cfg.Colors.Dark} {
		c := v.get(key)
		if !d.is("colors."+key, c, text) {
			continue
		}
		if !hexColor.MatchString(c.str) {
			d.list.Warnf(c.pos, "bad-color", "%q is no colour: write it as #RRGGBB.", c.str)
			continue
		}
		*to = strings.ToLower(c.str)
	}
}

func (d *decoder) logo(v *value) {
	l := &d.cfg.Logo
	if v.kind == text {
		l.Light, l.Dark = v.str, v.str
		return
	}
	if !d.is("logo", v, object) {
		return
	}
	d.text("logo.light", v.get("light"), &l.Light)
	d.text("logo.dark", v.get("dark"), &l.Dark)
	d.text("logo.href", v.get("href"), &l.Href)
	if l.Light == "" {
		l.Light = l.Dark
	}
	if l.Dark == "" {
		l.Dark = l.Light
	}
}

func (d *decoder) favicon(v *value) {
	if v.kind == object {
		v = v.get("light")
	}
	d.text("favicon", v, &d.cfg.Favicon)
}

func (d *decoder) appearance(v *value) {
	if !d.is("appearance", v, object) {
		return
	}
	d.cfg.Appearance.Strict = v.get("strict").bool()
	def := v.get("default")
	if !d.is("appearance.default", def, text) {
		return
	}
	switch def.str {
	case "system", "light", "dark":
		d.cfg.Appearance.Default = def.str
	default:
		d.list.Warnf(def.pos, "bad-value", `"appearance.default" must be system, light or dark, not %q.`, def.str)
	}
}

func (d *decoder) redirects(v *value) {
	if !d.is("redirects", v, list) {
		return
	}
	for _, item := range v.items {
		if !d.is("redirects[]", item, object) {
			continue
		}
		r := site.Redirect{Permanent: true, Pos: item.pos}
		d.text("source", item.get("source"), &r.Source)
		d.text("destination", item.get("destination"), &r.Destination)
		if p := item.get("permanent"); p != nil && p.kind == boolean {
			r.Permanent = p.truth
		}
		if r.Source == "" || r.Destination == "" {
			d.list.Warnf(item.pos, "bad-redirect", `A redirect needs "source" and "destination".`)
			continue
		}
		d.cfg.Redirects = append(d.cfg.Redirects, r)
	}
}
