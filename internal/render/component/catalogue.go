package component

// byName is the catalogue. It is never written after it was made.
var byName = index(contentComponents(), codeComponents())

// Find looks a component up by the name authors write.
func Find(name string) (*Component, bool) {
	c, ok := byName[name]
	return c, ok
}

// List is the whole catalogue: content first, then code and fields, each in the order it is written out.
func List() []Component { return append(contentComponents(), codeComponents()...) }

func index(lists ...[]Component) map[string]*Component {
	m := map[string]*Component{}
	for _, list := range lists {
		for i := range list {
			m[list[i].Name] = &list[i]
		}
	}
	return m
}
