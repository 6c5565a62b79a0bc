package icon

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/web/npm"
)

func open(t testing.TB) *Library {
	t.Helper()
	l, err := Open(npm.FS())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// drawn describes the icon that is found: library, name, style.
func drawn(s *Set, name, style string) string {
	p, ok := s.find(name, style)
	if !ok {
		return "nothing"
	}
	return strings.TrimSuffix(p.library+" "+string(p.name)+" "+string(p.style), " ")
}

func TestIconIsFoundInAnySpelling(t *testing.T) {
	l := open(t)
	for _, c := range []struct{ library, name, style, want string }{
		{"", "star", "", "fontawesome star solid"},
		{"", "star", "regular", "fontawesome star regular"},
		{"", "star", "light", "fontawesome star regular"},
		{"", "rocket", "thin", "fontawesome rocket solid"},
		{"", "rocket", "sharp-solid", "fontawesome rocket solid"},
		{"", "rocket", "nonsense", "fontawesome rocket solid"},
		{"", "github", "", "fontawesome github brands"},
		{"", "GitHub", "brands", "fontawesome github brands"},
		{"", "fa-star", "", "fontawesome star solid"},
		{"", "fas fa-star", "", "fontawesome star solid"},
		{"", "fa-regular fa-star fa-2x", "", "fontawesome star regular"},
		{"", "faArrowRight", "", "fontawesome arrow-right solid"},
		{"", "arrowRight", "", "fontawesome arrow-right solid"},
		{"", "arrow_right", "", "fontawesome arrow-right solid"},
		{"", "fa6-brands:github", "", "fontawesome github brands"},
		{"", "lucide:star", "", "lucide star"},
		{"", "tabler:star", "solid", "tabler star filled"},
		{"", "tabler:star-filled", "", "tabler star filled"},
		{"", "edit", "", "fontawesome pen-to-square solid"},              // a version 5 name
		{"", "pencil-square-o", "", "fontawesome pen-to-square regular"}, // a version 4 name that implied a style
		{"", "brand-github", "", "fontawesome github brands"},
		{"fontawesome", "N", "", "fontawesome n solid"},
		{"lucide", "star", "solid", "lucide star"},
		{"lucide", "Heading1", "", "lucide heading-1"},
		{"lucide", "home", "", "lucide home"},
		{"lucide", "StarIcon", "", "lucide star"},
		{"lucide", "python", "", "fontawesome python brands"},
		{"lucide", "magnifying-glass", "", "fontawesome magnifying-glass solid"},
		{"Tabler", "IconStar", "", "tabler star"},
		{"tabler", "github", "", "tabler brand-github"},
		{"tabler", "aws", "", "tabler brand-aws"},
		{"tabler", "magnifying-glass", "", "fontawesome magnifying-glass solid"},
	} {
		got := drawn(l.Set(c.library), c.name, c.style)
		if c.library == "lucide" && c.name == "home" {
			got = strings.ReplaceAll(got, "house", "home") // the same drawing under both names
		}
		if got != c.want {
			t.Errorf("%s %q %q: %s, want %s", c.library, c.name, c.style, got, c.want)
		}
	}
}

func TestPaidIconsUseSimilarFreeIcons(t *testing.T) {
	s := open(t).Set("")
	for name, want := range map[string]string{
		"shield-check":       "lucide shield-check",
		"sparkles":           "lucide sparkles",
		"browser":            "fontawesome window-maximize regular",
		"window":             "fontawesome window-maximize regular",
		"rocket-launch":      "fontawesome rocket solid",
		"brackets-curly":     "lucide braces",
		"circle-1":           "tabler circle-number-1 filled",
		"square-a":           "tabler square-letter-a filled",
		"circle-rocket":      "fontawesome rocket solid",
		"rocket-with-hat":    "fontawesome rocket solid",
		"microchip-ai":       "fontawesome microchip solid",
		"github-never-heard": "nothing", // a brand's icon never replaces another one
	} {
		if got := drawn(s, name, "regular"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestUnknownIconDrawsNothing(t *testing.T) {
	l := open(t)
	for _, name := range []string{
		"", " ", "-", "/images/x.svg", "https://example.com/x.svg", "x.png", "🚀", "étoile", "no-such-icon",
		"<svg onload=x>", `"><script>`,
		"unknown:star", "lucide:", "fas", "data:image/svg+xml,x", strings.Repeat("a-", 200), "star\x00",
	} {
		for _, library := range []string{FontAwesome, Lucide, Tabler} {
			var b htmlbuf.Buffer
			if l.Set(library).WriteIcon(&b, name, "") || b.Len() > 0 {
				t.Errorf("%s %q drew %s", library, name, b.Bytes())
			}
		}
	}
}

func TestIconIsAriaHiddenAndUsesTextColor(t *testing.T) {
	l := open(t)
	for name, want := range map[string]string{
		"fa:star":     `<svg class="icon" aria-hidden="true" width="1em" height="1em" viewBox="0 0 576 512" data-icon="star" overflow="visible" fill="currentColor"><path d="M`,
		"lucide:star": `<svg class="icon" aria-hidden="true" width="1em" height="1em" viewBox="0 0 24 24" data-icon="star" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M`,
	} {
		var b htmlbuf.Buffer
		if !l.Set("").WriteIcon(&b, name, "") || !strings.HasPrefix(string(b.Bytes()), want) ||
			!strings.HasSuffix(string(b.Bytes()), `"/></svg>`) {
			t.Errorf("%s is %s", name, b.Bytes())
		}
	}
}

// TestEveryPackedIconIsWellFormed checks, in all three libraries, that each line can be found by its name and is XML.
func TestEveryPackedIconIsWellFormed(t *testing.T) {
	l, least := open(t), map[string]int{FontAwesome: 2500, Lucide: 2000, Tabler: 6000}
	for library, want := range least {
		p := l.packs[library]()
		if len(p.lines) < want {
			t.Errorf("%s has only %d lines", library, len(p.lines))
		}
		for i := range p.lines {
			line := p.line(i)
			d, ok := p.find(string(line.name), []string{string(line.style)})
			if !ok {
				t.Errorf("%s %s is not found", library, line.name)
				continue
			}
			for dec := xml.NewDecoder(strings.NewReader("<svg>" + string(d.body) + "</svg>")); ; {
				if _, err := dec.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Errorf("%s %s: %v", library, line.name, err)
					break
				}
			}
		}
	}
}

func TestEverySubstituteIconExistsAndIsNeeded(t *testing.T) {
	l := open(t)
	stands := l.instead()
	if len(stands) < 500 {
		t.Fatalf("only %d names", len(stands))
	}
	for theirs, ours := range stands {
		if l.packs[ours.library] == nil {
			t.Errorf("%s: no library %s", theirs, ours.library)
		} else if _, ok := l.find(ours.library, ours.name, nil); !ok {
			t.Errorf("%s: %s has no %s", theirs, ours.library, ours.name)
		}
		for _, library := range []string{FontAwesome, Lucide} {
			if _, ok := l.find(library, theirs, nil); ok {
				t.Errorf("%s has %s itself: remove it from the list", library, theirs)
			}
		}
	}
}

func TestMissingPacksErrorSuggestsMakeBuild(t *testing.T) {
	if _, err := Open(fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Errorf("error %v", err)
	}
}

func TestConcurrentDrawing(t *testing.T) {
	l := open(t)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			s := l.Set([]string{FontAwesome, Lucide, Tabler}[i%3])
			for _, name := range []string{"star", "github", "no-such-icon", "rocket-launch"} {
				var b htmlbuf.Buffer
				if s.WriteIcon(&b, name, "") != (name != "no-such-icon") {
					t.Errorf("%s: %s", name, b.Bytes())
				}
			}
		})
	}
	all.Wait()
}

func TestDamagedPackIsRefused(t *testing.T) {
	for _, text := range []string{"a\t\t\t<path/>", "a\tb\n", "b\t\t\tx\na\t\t\tx\n", "a\t\t\tx\ty\n"} {
		if _, err := parsePack([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	p, err := parsePack([]byte("a\t\t=\tb\nb\t\t=\ta\nc\t\t=\tgone\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		if d, ok := p.find(name, nil); ok {
			t.Errorf("%s led to %s", name, d.name)
		}
	}
}

func FuzzWriteIcon(f *testing.F) {
	for _, seed := range []string{"fas fa-star", "lucide:Trash2", "GitHub", "circle-1", "a-b-c-d", "\xff",
		"fa6-brands:github", "_-_"} {
		f.Add(seed, "solid")
	}
	l := open(f)
	f.Fuzz(func(t *testing.T, name, style string) {
		for _, library := range []string{FontAwesome, Lucide, Tabler} {
			var b htmlbuf.Buffer
			drew := l.Set(library).WriteIcon(&b, name, style)
			if drew != (b.Len() > 0) || drew && !strings.HasSuffix(string(b.Bytes()), "</svg>") {
				t.Errorf("%q %q: %v, %s", name, style, drew, b.Bytes())
			}
		}
	})
}

func BenchmarkWriteIcon(b *testing.B) {
	s := open(b).Set("")
	for name, icon := range map[string]string{"own": "rocket", "elsewhere": "sparkles", "unknown": "no-such-icon"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var buf htmlbuf.Buffer
			for b.Loop() {
				buf.Reset()
				s.WriteIcon(&buf, icon, "")
			}
		})
	}
}
