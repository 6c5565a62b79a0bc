package expand

import (
	"maps"
	"slices"
)

// dependencies opens the files that one page uses, and records them: files that the page names, files imported by them,
// and files that were looked for but do not exist.
type dependencies struct {
	modules  *modules
	findings *findings
	files    map[string]bool // by path, including those that do not exist
	walked   map[string]bool // modules whose imports have been added to files
	reported map[string]bool // modules whose findings have been added
}

// open returns the module of a snippet. It adds the snippet's findings once per page.
func (d *dependencies) open(file string) *module {
	m := d.modules.open(file)
	if mark(&d.reported, file) {
		d.findings.list = append(d.findings.list, m.findings...)
	}
	d.addModule(file)
	return m
}

// resolve resolves a definition. From then on, the page depends on the file that contains the definition.
func (d *dependencies) resolve(one definition) definition {
	if one.kind == reexport {
		d.open(one.file)
	}
	return d.modules.resolve(one)
}

// exists reports whether the folder contains a file. The page depends on the file in either case.
func (d *dependencies) exists(file string) bool {
	mark(&d.files, file)
	return isFile(d.modules.src, file)
}

// addImports adds the files that a module imports, recursively.
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

// addModule adds an .mdx file and the files it imports.
func (d *dependencies) addModule(file string) {
	if mark(&d.walked, file) {
		mark(&d.files, file)
		d.addImports(d.modules.open(file))
	}
}

func (d *dependencies) sorted() []string { return slices.Sorted(maps.Keys(d.files)) }

// mark adds a name to a set. It returns false if the set already contained the name.
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
