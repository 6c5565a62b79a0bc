package component

import "slices"

// codeComponents lists the components that show code, fields and other technical content.
func codeComponents() []Component {
	return slices.Concat(
		[]Component{codeBlockComponent()},
		codeGroupComponents(),
		colorComponents(),
		fieldComponents(),
		[]Component{promptComponent()},
		treeComponents(),
		[]Component{updateComponent(), viewComponent()},
	)
}
