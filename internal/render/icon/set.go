package icon

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
)

// Set draws for a site that has chosen a library. It is safe for use by many goroutines.
type Set struct {
	all *Library
	own string
}

// picture is a drawing and the library it is from.
type picture struct {
	drawing
	library string
}

// WriteIcon writes the icon called name as inline SVG, one em high and wide, in the colour of the text, and hidden from
// screen readers. style is what the author asked for ("solid", "brands" …) or "". It writes nothing and returns false
// when no library has anything near that name.
func (s *Set) WriteIcon(b *htmlbuf.Buffer, name, style string) bool {
	p, ok := s.find(name, style)
	if !ok {
		return false
	}
	b.Raw(`<svg class="icon" aria-hidden="true" width="1em" height="1em"`)
	viewBox := "0 0 24 24"
	if len(p.viewBox) > 0 {
		viewBox = string(p.viewBox)
	}
	b.Attr("viewBox", viewBox)
	b.Attr("data-icon", string(p.name))
	if p.library == FontAwesome || string(p.style) == "filled" {
		b.Raw(` overflow="visible" fill="currentColor">`) // Font Awesome draws over the edge of its box
	} else {
		b.Raw(` fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">`)
	}
	b.Trusted(p.body)
	b.Raw(`</svg>`)
	return true
}

// find resolves a name: as it stands, in the site's library and then in the others; what stands in for a paid name; the
// nearest name.
func (s *Set) find(written, style string) (picture, bool) {
	r, said, ok := parseName(written)
	if !ok {
		return picture{}, false
	}
	if said != "" {
		style = said
	}
	own := s.own
	if r.library != "" {
		own = r.library
	}
	styles := wished(style)
	names := spellings(r.name)
	for _, try := range []func(own, name string, styles []string) (picture, bool){s.exact, s.near} {
		for _, name := range names {
			if p, ok := try(own, name, styles); ok {
				return p, true
			}
		}
	}
	return picture{}, false
}

// exact finds the name itself. tabler comes last: it has thousands of names, some with another sense.
func (s *Set) exact(own, name string, styles []string) (picture, bool) {
	if p, ok := s.inLibrary(own, name, styles); ok {
		return p, true
	}
	for _, library := range []string{Lucide, FontAwesome} {
		if library == Lucide && own == Tabler {
			continue // brands are in Font Awesome, everything else tabler has itself
		}
		if library != own {
			if p, ok := s.inLibrary(library, name, styles); ok {
				return p, true
			}
		}
	}
	if r, ok := s.all.instead()[name]; ok {
		if p, ok := s.all.find(r.library, r.name, styles); ok {
			return p, true
		}
	}
	for _, library := range []string{Tabler, Lucide} {
		if p, ok := s.inLibrary(library, name, styles); ok {
			return p, true
		}
	}
	return picture{}, false
}

// inLibrary finds a name with a library's own ways to say style and brand.
func (s *Set) inLibrary(library, name string, styles []string) (picture, bool) {
	if p, ok := s.all.find(library, name, styles); ok {
		return p, true
	}
	switch library {
	case Tabler:
		if bare, filled := strings.CutSuffix(name, "-filled"); filled {
			return s.all.find(library, bare, []string{"filled"})
		}
		return s.all.find(library, "brand-"+name, styles)
	case FontAwesome:
		if brand, is := strings.CutPrefix(name, "brand-"); is {
			return s.all.find(library, brand, []string{"brands"})
		}
	}
	return picture{}, false
}

// wished lists the styles to try for what an author asked for. Free icons are solid, some regular, or brands; tabler's
// are outlines, some filled. The libraries' first choice has an empty or early name, so "" needs no list for tabler.
func wished(style string) []string {
	switch style = strings.ToLower(strings.TrimSpace(style)); style {
	case "brands", "brand":
		return []string{"brands", "solid", "regular"}
	case "regular", "light", "thin", "sharp-regular", "sharp-light", "sharp-thin", "outline":
		return []string{"regular", "solid", "brands"}
	case "solid", "duotone", "sharp-solid", "filled":
		return []string{"solid", "filled", "regular", "brands"}
	}
	return []string{"solid", "regular", "brands"}
}
