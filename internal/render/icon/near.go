package icon

import "strings"

// frames are name prefixes of icons inside a shape.
var frames = []string{"circle-", "square-", "rectangle-", "octagon-", "hexagon-"}

// near finds an icon for an unknown name: a letter or digit in a shape, the name without its shape, or the name without
// its last words ("file-magnifying-glass" → "file"). Paid libraries compose names in this way, so what remains is often
// the name of a similar icon.
func (s *Set) near(own, name string, styles []string) (picture, bool) {
	if p, ok := s.shapedCharacter(name); ok {
		return p, true
	}
	for _, frame := range frames {
		if bare, cut := strings.CutPrefix(name, frame); cut {
			if p, ok := s.exact(own, bare, styles); ok {
				return p, true
			}
		}
	}
	for {
		at := strings.LastIndexByte(name, '-')
		if at <= 0 {
			return picture{}, false
		}
		name = name[:at]
		if p, ok := s.exact(own, name, styles); ok && string(p.style) != "brands" {
			return p, true
		}
	}
}

// shapedCharacter finds names such as circle-1 or square-a among Tabler's icons.
func (s *Set) shapedCharacter(name string) (picture, bool) {
	for _, shape := range []string{"circle", "square"} {
		sign, cut := strings.CutPrefix(name, shape+"-")
		if !cut || len(sign) != 1 {
			continue
		}
		kind := "-letter-"
		if sign[0] >= '0' && sign[0] <= '9' {
			kind = "-number-"
		}
		return s.all.find(Tabler, shape+kind+sign, []string{"filled"})
	}
	return picture{}, false
}
