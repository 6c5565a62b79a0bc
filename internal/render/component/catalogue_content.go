package component

import "slices"

// contentComponents lists the components that hold and arrange prose.
func contentComponents() []Component {
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
	)
}
