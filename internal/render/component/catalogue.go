package component

import "slices"

// byName is the catalogue. It is never written after it was made.
var byName = index(List())

// Find looks a component up by the name authors write.
func Find(name string) (*Component, bool) {
	c, ok := byName[name]
	return c, ok
}

// List returns the whole catalogue: what holds and arranges prose first, then code, fields and other technical content.
func List() []Component {
	return slices.Concat(
		accordionComponents(),
		[]Component{badgeComponent(), bannerComponent()},
		calloutComponents(),
		[]Component{cardComponent()},
		columnsComponents(),
		[]Component{frameComponent(), iconComponent()},
		repoComponents(),
		stepsComponents(),
		tabsComponents(),
		[]Component{tileComponent(), tooltipComponent()},
		plainComponents(),

		[]Component{codeBlockComponent()},
		codeGroupComponents(),
		colorComponents(),
		fieldComponents(),
		[]Component{promptComponent()},
		treeComponents(),
		[]Component{updateComponent(), viewComponent()},
	)
}

func index(list []Component) map[string]*Component {
	m := map[string]*Component{}
	for i := range list {
		m[list[i].Name] = &list[i]
	}
	return m
}
