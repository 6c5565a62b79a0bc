package expand

import (
	"maps"
	"slices"
)

// addDependency records a file that the page depends on, whether or not it exists.
func (r *run) addDependency(file string) {
	if r.dependencies == nil {
		r.dependencies = map[string]bool{}
	}
	r.dependencies[file] = true
}

// compiled is a module's code; the page depends on all that it imports.
func (r *run) compiled(m *module) *code {
	r.page.Code = true
	c := m.compiled(r.site)
	for _, file := range c.asked {
		if _, content := target("", "/"+file); content {
			r.module(file)
		} else {
			r.addDependency(file)
		}
	}
	return c
}

// depend lists the files that a page was made from: what it imports, what they import, and the snippets that it names.
func (r *run) depend(page *module) {
	r.imports(page)
	for file := range r.used {
		r.module(file)
	}
	r.page.Files = slices.Sorted(maps.Keys(r.dependencies))
}

func (r *run) imports(m *module) {
	for _, file := range m.asked {
		r.addDependency(file)
	}
	for _, d := range m.names {
		if d.file != "" {
			r.module(d.file)
		}
	}
}

// module notes an .mdx file and what it imports.
func (r *run) module(file string) {
	if r.walked[file] {
		return
	}
	if r.walked == nil {
		r.walked = map[string]bool{}
	}
	r.addDependency(file)
	r.walked[file] = true
	r.imports(r.site.snippet(file))
}
