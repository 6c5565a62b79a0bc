package icon

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
)

// Set draws icons for a site that has chosen a library. It is safe for concurrent use.
type Set struct {
	all *Library
	own string
}

// picture is a drawing and its library.
type picture struct {
	drawing
	library string
}

// WriteIcon writes the icon called name as inline SVG, one em high and wide, in the colour of the text, and hidden
// from screen readers. style is the author's choice ("solid", "brands" …) or "". If no library has a similar name,
// it writes nothing and returns false.
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
		b.Raw(` overflow="visible" fill="currentColor">`) // Font Awesome draws beyond the view box
	} else {
		b.Raw(` fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">`)
	}
	b.Trusted(p.body)
	b.Raw(`</svg>`)
	return true
}

// find resolves a name. It looks in the site's library, then in the other libraries, then among paid names with a
// replacement, and finally for the most similar name.
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

// exact finds the name itself. It tries Tabler last, because Tabler has thousands of names, some with a different
// meaning.
func (s *Set) exact(own, name string, styles []string) (picture, bool) {
	if p, ok := s.inLibrary(own, name, styles); ok {
		return p, true
	}
	for _, library := range []string{Lucide, FontAwesome} {
		if library == Lucide && own == Tabler {
			continue // Font Awesome has the brands; Tabler itself has everything else
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

// inLibrary finds a name, following the library's conventions for styles and brands.
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

// wished returns the styles to try for the author's choice. Font Awesome's free icons are brands or solid, and some are
// also regular. Tabler's icons are outlines, and some are also filled. If the author made no choice, Tabler needs no
// list, because its default style comes first.
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
