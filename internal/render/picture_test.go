package render

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/render/component"
)

// sized resolves every image to a file 2,000 pixels wide with one narrower copy.
type sized struct{}

// Resolve implements Resolver.
func (sized) Resolve(ref Ref) (component.Address, bool) {
	to := component.Address{Href: ref.Dest}
	if ref.Image {
		to.Width, to.Height = 2000, 1000
		to.Variants = []component.Variant{{Href: "/s.jpg", Width: 768}}
	}
	return to, true
}

func TestAllImagesButTheFirstLoadLazily(t *testing.T) {
	const column = ` sizes="(min-width: 48rem) 45rem, 256px"`
	set := func(name string) string { return ` srcset="/s.jpg 768w, ` + name + ` 2000w"` }
	for _, c := range []struct{ name, source, want string }{
		{"the first picture is not lazy", "![a](/a.png)",
			`<img src="/a.png" alt="a"` + set("/a.png") + column + ` width="2000" height="1000" decoding="async">`},
		{"later pictures are", "![a](/a.png)\n\n<img src=\"/b.png\" alt=\"b\" />",
			`<img src="/b.png" alt="b" width="2000" height="1000"` + set("/b.png") + column +
				` loading="lazy" decoding="async">`},
		{"a picture far down is", strings.Repeat("A long paragraph of text.\n\n", 300) + "![a](/a.png)",
			` height="1000" loading="lazy" decoding="async">`},
		{"a picture for one scheme is", `<img className="hidden dark:block" src="/a.png" alt="a" />`,
			` loading="lazy" decoding="async">`},
		{"its width selects the copy", `<img width="300" src="/a.png" alt="a" />`,
			` sizes="(min-width: 48rem) 300px, 256px" decoding="async">`},
		{"an author's choice is kept", "![a](/a.png)\n\n<img loading=\"eager\" srcset=\"/c.png 2x\" src=\"/b.png\" alt=\"b\" />",
			`<img loading="eager" srcset="/c.png 2x" src="/b.png" alt="b" decoding="async">`},
		{"<picture> is kept too", `<picture><source srcset="/d.webp" /><img src="/a.png" alt="a" /></picture>`,
			`<img src="/a.png" alt="a" decoding="async"></picture>`},
	} {
		page, _ := renderWith(t, sized{}, c.source)
		if got := string(page.HTML); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
