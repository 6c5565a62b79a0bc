package docsjson

import "github.com/lectern-docs/lectern/internal/jsontree"

// This file reads what changes the content of pages: variables and the icon library.

// variables reads {name: text}; sources write {{name}}.
func (d *decoder) variables(v *jsontree.Value) {
	if !d.is("variables", v, jsontree.Object) {
		return
	}
	d.cfg.Variables = map[string]string{}
	for _, m := range v.Members {
		if d.is("variables."+m.Key, m.Value, jsontree.String) {
			d.cfg.Variables[m.Key] = m.Value.Str
		}
	}
}

// icons reads {library: name}.
func (d *decoder) icons(v *jsontree.Value) {
	if !d.is("icons", v, jsontree.Object) {
		return
	}
	d.word("icons.library", v.Get("library"), &d.cfg.IconLibrary, "fontawesome", "lucide", "tabler")
}
