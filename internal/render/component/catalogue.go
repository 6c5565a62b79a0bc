package component

import "slices"

// byName is the catalogue by name. It must not be changed.
var byName = index(List())

// Find finds a component by the name that authors write.
func Find(name string) (*Component, bool) {
	c, ok := byName[name]
	return c, ok
}

// List returns the whole catalogue: components for prose first, then those for code, fields and other technical
// content.
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
