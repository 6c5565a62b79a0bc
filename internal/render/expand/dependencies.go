package expand

import (
	"maps"
	"slices"
)

// dependencies opens the files that one page uses, and lists them: those it names, what they import, and those that
// were looked for in vain.
type dependencies struct {
	modules  *modules
	findings *findings
	files    map[string]bool // by path, whether or not they exist
	walked   map[string]bool // modules whose imports are in files
	reported map[string]bool // modules whose findings are in findings
}

// open returns the module of a snippet. Its findings are reported once per page.
func (d *dependencies) open(file string) *module {
	m := d.modules.open(file)
	if mark(&d.reported, file) {
		d.findings.list = append(d.findings.list, m.findings...)
	}
	d.addModule(file)
	return m
}

// resolve returns what a name stands for; the page depends on the file that it comes from.
func (d *dependencies) resolve(one definition) definition {
	if one.kind == reexport {
		d.open(one.file)
	}
	return d.modules.resolve(one)
}

// exists reports whether the folder has a file; the page depends on it either way.
func (d *dependencies) exists(file string) bool {
	mark(&d.files, file)
	return isFile(d.modules.src, file)
}

// addImports adds what a module imports, and what that imports.
func (d *dependencies) addImports(m *module) {
	for _, file := range m.names.tried {
		mark(&d.files, file)
	}
	for _, one := range m.names.defined {
		if one.file != "" {
			d.addModule(one.file)
		}
	}
}

// addCode adds the files that compiled code was made from.
func (d *dependencies) addCode(c *code) {
	for _, file := range c.tried {
		if isMDXFile(file) {
			d.addModule(file)
		} else {
			mark(&d.files, file)
		}
	}
}

// addModule adds an .mdx file and what it imports.
func (d *dependencies) addModule(file string) {
	if mark(&d.walked, file) {
		mark(&d.files, file)
		d.addImports(d.modules.open(file))
	}
}

func (d *dependencies) sorted() []string { return slices.Sorted(maps.Keys(d.files)) }

// mark adds a name to a set, and reports whether it is new there.
func mark(set *map[string]bool, name string) bool {
	if (*set)[name] {
		return false
	}
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[name] = true
	return true
}
