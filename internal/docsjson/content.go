package docsjson

// This file reads what changes the content of pages: variables and the icon library.

// variables reads {name: text}; sources write {{name}}.
func (d *decoder) variables(v *value) {
	if !d.is("variables", v, object) {
		return
	}
	d.cfg.Variables = map[string]string{}
	for _, m := range v.members {
		if d.is("variables."+m.key, m.val, text) {
			d.cfg.Variables[m.key] = m.val.str
		}
	}
}

// icons reads {library: name}.
func (d *decoder) icons(v *value) {
	if !d.is("icons", v, object) {
		return
	}
	library := v.get("library")
	if !d.is("icons.library", library, text) {
		return
	}
	switch library.str {
	case "fontawesome", "lucide", "tabler":
		d.cfg.IconLibrary = library.str
	default:
		d.list.Warnf(library.pos, "bad-value", `"icons.library" must be fontawesome, lucide or tabler, not %q.`, library.str)
	}
}
