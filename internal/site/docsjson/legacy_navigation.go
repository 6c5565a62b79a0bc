package docsjson

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
)

// This file converts the navigation of mint.json to nested divisions. mint.json has a list of groups and separate
// lists of tabs, anchors and versions. A group belongs to the tab and the anchor whose folder contains its first
// page, and to the version that it names.

// part is a tab, an anchor or a version in mint.json.
type part struct {
	value   *jsontree.Value // an object, or a string for a version
	name    string
	url     string // without surrounding slashes; an absolute URL if web is set
	web     bool
	version string // "" = every version
	used    bool   // it has its own groups
}

// of reports whether the part belongs to a version. "" matches every version.
func (p *part) of(version string) bool {
	return version == "" || p.version == "" || p.version == version
}

func (c *conversion) parts(key string) (out []*part) {
	v := c.old.Get(key)
	if !v.Is(jsontree.List) {
		return nil
	}
	for _, item := range v.Items {
		p := &part{value: item, name: item.Text()}
		if item.Kind == jsontree.Object {
			p.name, p.url, p.version = first(item, "name").
				Text(), strings.TrimSpace(first(item, "url").Text()), first(item, "version").Text()
		}
		p.web = strings.Contains(p.url, ":")
		if !p.web {
			p.url = strings.Trim(p.url, "/")
		}
		if p.name != "" {
			out = append(out, p)
		}
	}
	return out
}

func (c *conversion) navigation() {
	old := c.old.Get("navigation")
	if !old.Is(jsontree.List) { // in the newer form, or missing
		c.set("navigation", old)
		return
	}
	tabs, anchors := c.parts("tabs"), c.parts("anchors")
	c.lost("colors.anchors.to", c.old.Get("colors").Get("anchors").Get("to"), "all anchors have the same colour")
	nav := c.versions(old, tabs, anchors)
	if nav == nil {
		nav = c.section(old, old.Items, "", tabs, anchors)
	}
	var global []*jsontree.Value
	for _, a := range anchors {
		if !a.used && a.url != "" {
			global = append(global, c.anchor(a, text1(a.value, address(a)), "href"))
		}
	}
	if len(global) > 0 {
		put(c.child(nav, "global", global[0]), "anchors", list1(global[0], global...))
	}
	c.set("navigation", nav)
}

// address returns the link target of a part without groups.
func address(p *part) string {
	if p.web {
		return p.url
	}
	return "/" + p.url
}

// versions divides the navigation by version. It returns nil if no entry names a version.
func (c *conversion) versions(old *jsontree.Value, tabs, anchors []*part) *jsontree.Value {
	all := c.parts("versions")
	named := false
	for _, g := range old.Items {
		named = named || first(g, "version") != nil
	}
	if len(all) == 0 {
		return nil
	}
	if !named {
		c.lost("versions", all[0].value, "no navigation group has a version")
		return nil
	}
	key, name := "versions", "version"
	for _, v := range all {
		c.lost("versions[].url", v.value.Get("url"), "the versions of this site are in its folder")
		if v.value.Get("locale").Text() != "" {
			key, name = "languages", "language"
		}
	}
	out := list1(all[0].value)
	for _, v := range all {
		node := c.section(v.value, old.Items, v.name, tabs, anchors)
		if len(node.Members) == 0 {
			continue
		}
		entry := object1(v.value)
		put(entry, name, text1(v.value, v.name))
		if locale := v.value.Get("locale"); key == "languages" && locale.Is(jsontree.String) {
			put(entry, name, locale)
		}
		put(entry, "default", v.value.Get("default"))
		for _, m := range node.Members {
			entry.Set(m)
		}
		out.Items = append(out.Items, entry)
	}
	if len(out.Items) == 0 {
		return nil
	}
	nav := object1(old)
	put(nav, key, out)
	return nav
}

// section returns the groups of one version ("" = all), divided into tabs.
func (c *conversion) section(from *jsontree.Value, groups []*jsontree.Value, version string, tabs,
	anchors []*part) *jsontree.Value {
	mine := ofVersion(groups, version)
	out := object1(from)
	if len(tabs) == 0 {
		c.anchored(out, mine, version, anchors, true)
		return out
	}
	rest, caught := divide(mine, tabs, version)
	list := list1(from)
	if len(rest) > 0 {
		primary := c.old.Get("primaryTab")
		entry := object1(from)
		put(entry, "tab", text1(from,
			orText(primary.Get("name"), orText(c.old.Get("topAnchor").Get("name"), "Documentation"))))
		c.anchored(entry, rest, version, anchors, false)
		list.Items = append(list.Items, entry)
	}
	for _, t := range tabs {
		if !t.of(version) {
			continue
		}
		entry := object1(t.value)
		put(entry, "tab", text1(t.value, t.name))
		if own := caught[t]; len(own) > 0 {
			t.used = true
			c.anchored(entry, own, version, anchors, false)
		} else {
			put(entry, "href", text1(t.value, address(t)))
		}
		list.Items = append(list.Items, entry)
	}
	put(out, "tabs", list)
	return out
}

// anchored adds groups to an entry, divided into anchors if anchors exist for some of their folders. top reports
// whether mint.json shows its first anchor here.
func (c *conversion) anchored(to *jsontree.Value, groups []*jsontree.Value, version string, anchors []*part, top bool) {
	rest, caught := divide(groups, anchors, version)
	first1 := c.old.Get("topAnchor")
	if len(caught) == 0 && !(top && first1.Is(jsontree.Object)) {
		if len(groups) > 0 {
			put(to, "groups", list1(groups[0], plain(groups)...))
		}
		return
	}
	list := list1(to)
	if len(rest) > 0 {
		entry := object1(rest[0])
		put(entry, "anchor", text1(rest[0], orText(first1.Get("name"), "Documentation")))
		put(entry, "icon", orValue(first1.Get("icon"), text1(rest[0], "book-open")))
		put(entry, "iconType", first1.Get("iconType"))
		put(entry, "groups", list1(rest[0], plain(rest)...))
		list.Items = append(list.Items, entry)
	}
	for _, a := range anchors {
		if own := caught[a]; len(own) > 0 {
			a.used = true
			list.Items = append(list.Items, c.anchor(a, list1(own[0], plain(own)...), "groups"))
		}
	}
	put(to, "anchors", list)
}

// anchor returns an entry for an anchor with its icon and colour and one other member.
func (c *conversion) anchor(a *part, v *jsontree.Value, key string) *jsontree.Value {
	out := object1(a.value)
	put(out, "anchor", text1(a.value, a.name))
	put(out, "icon", a.value.Get("icon"))
	put(out, "iconType", a.value.Get("iconType"))
	color := orValue(a.value.Get("color"), c.old.Get("colors").Get("anchors"))
	if color.Is(jsontree.Object) { // use the start of a gradient
		color = color.Get("from")
	}
	put(out, "color", color)
	put(out, key, v)
	return out
}

// divide assigns each group to the part with the longest folder that contains the group's first page.
func divide(groups []*jsontree.Value, parts []*part, version string) (rest []*jsontree.Value,
	caught map[*part][]*jsontree.Value) {
	caught = map[*part][]*jsontree.Value{}
	for _, g := range groups {
		page := strings.Trim(firstPage(g), "/")
		var best *part
		for _, p := range parts {
			inside := !p.web && p.url != "" && (page == p.url || strings.HasPrefix(page, p.url+"/"))
			if inside && p.of(version) && (best == nil || len(p.url) > len(best.url)) {
				best = p
			}
		}
		if best == nil {
			rest = append(rest, g)
		} else {
			caught[best] = append(caught[best], g)
		}
	}
	return rest, caught
}

// firstPage returns the first page of an entry or of the entries below it, or "".
func firstPage(v *jsontree.Value) string {
	if v.Kind == jsontree.String {
		return v.Str
	}
	if pages := v.Get("pages"); pages.Is(jsontree.List) {
		for _, p := range pages.Items {
			if got := firstPage(p); got != "" {
				return got
			}
		}
	}
	return ""
}

// ofVersion returns the groups that belong to a version, including groups that name no version.
func ofVersion(groups []*jsontree.Value, version string) (out []*jsontree.Value) {
	for _, g := range groups {
		if own := first(g, "version").Text(); version == "" || own == "" || own == version {
			out = append(out, g)
		}
	}
	return out
}

// plain copies groups without their version, which their position implies.
func plain(groups []*jsontree.Value) (out []*jsontree.Value) {
	for _, g := range groups {
		if g.Kind != jsontree.Object {
			out = append(out, g)
			continue
		}
		copied := object1(g)
		for _, m := range g.Members {
			if m.Key == "pages" && m.Value.Is(jsontree.List) {
				m.Value = list1(m.Value, plain(m.Value.Items)...)
			}
			if m.Key != "version" {
				copied.Set(m)
			}
		}
		out = append(out, copied)
	}
	return out
}

func orText(v *jsontree.Value, other string) string {
	if s := v.Text(); s != "" {
		return s
	}
	return other
}

func orValue(v, other *jsontree.Value) *jsontree.Value {
	if v == nil || v.Kind == jsontree.Null {
		return other
	}
	return v
}
