package tailwind

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite golden files")

var theme = Theme{Primary: "#112233", PrimaryLight: "#456", PrimaryDark: "#000011", BackgroundLight: "white"}

func TestStyleSheetMatchesGoldenFile(t *testing.T) {
	in, err := os.ReadFile("testdata/sheet/in")
	if err != nil {
		t.Fatal(err)
	}
	classes := strings.Fields(string(in))
	g := New(theme)
	for _, c := range classes {
		if g.rule(c) == nil && c != "group/item" { // a marker that variants of other classes refer to
			t.Errorf("%s has no rule", c)
		}
	}
	got := bytes.ReplaceAll(g.CSS(classes), []byte("}"), []byte("}\n")) // one rule per line, for readable diffs
	if *update {
		if err := os.WriteFile("testdata/sheet/want.css", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/sheet/want.css")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the sheet differs from testdata/sheet/want.css; rewrite it with -update\n%s", got)
	}
}

func TestClassesMatchTailwind(t *testing.T) {
	g := New(theme)
	for class, want := range map[string]string{
		"mt-2":                          `.mt-2{margin-top:0.5rem}`,
		"-mt-2":                         `.-mt-2{margin-top:-0.5rem}`,
		"-mt-[10px]":                    `.-mt-\[10px\]{margin-top:-10px}`,
		"-ml-[calc(1rem+2px)]":          `.-ml-\[calc\(1rem\+2px\)\]{margin-left:calc(calc(1rem + 2px) * -1)}`,
		"w-1/2":                         `.w-1\/2{width:50%}`,
		"w-2/3":                         `.w-2\/3{width:66.666667%}`,
		"p-0.5":                         `.p-0\.5{padding:0.125rem}`,
		"!p-px":                         `.\!p-px{padding:1px !important}`,
		"px-4":                          `.px-4{padding-left:1rem;padding-right:1rem}`,
		"hidden":                        `.hidden{display:none}`,
		"bg-black/50":                   `.bg-black\/50{background-color:rgb(0 0 0 / 0.5)}`,
		"bg-black/[0.03]":               `.bg-black\/\[0\.03\]{background-color:rgb(0 0 0 / 0.03)}`,
		"bg-black":                      `.bg-black{--tw-bg-opacity:1;background-color:rgb(0 0 0 / var(--tw-bg-opacity, 1))}`,
		"text-primary":                  `.text-primary{--tw-text-opacity:1;color:rgb(17 34 51 / var(--tw-text-opacity, 1))}`,
		"fill-primary-light":            `.fill-primary-light{fill:#445566}`,
		"text-current/50":               `.text-current\/50{color:color-mix(in srgb, currentColor calc(0.5 * 100%), transparent)}`,
		"w-[calc(100%-2rem)]":           `.w-\[calc\(100\%-2rem\)\]{width:calc(100% - 2rem)}`,
		"w-[calc((100%-var(--a-b))/3)]": `.w-\[calc\(\(100\%-var\(--a-b\)\)\/3\)\]{width:calc((100% - var(--a-b)) / 3)}`,
		"grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]": `.grid-cols-\[repeat\(auto-fit\2c minmax\(10rem\2c 1fr\)\)\]{grid-template-columns:repeat(auto-fit,minmax(10rem,1fr))}`,
		"2xl:p-4":                 `@media (min-width: 1536px){.\32 xl\:p-4{padding:1rem}}`,
		"text-sm":                 `.text-sm{font-size:0.875rem;line-height:1.25rem}`,
		"text-sm/6":               `.text-sm\/6{font-size:0.875rem;line-height:1.5rem}`,
		"space-y-4":               `.space-y-4 > :not([hidden]) ~ :not([hidden]){--tw-space-y-reverse:0;margin-top:calc(1rem * calc(1 - var(--tw-space-y-reverse)));margin-bottom:calc(1rem * var(--tw-space-y-reverse))}`,
		"[scrollbar-width:none]":  `.\[scrollbar-width\:none\]{scrollbar-width:none}`,
		"[&_p]:m-0":               `.\[\&_p\]\:m-0 p{margin:0px}`,
		"group-hover/item:flex":   `.group\/item:hover .group-hover\/item\:flex{display:flex}`,
		"md:hover:underline":      `@media (min-width: 768px){.md\:hover\:underline:hover{text-decoration-line:underline}}`,
		"max-md:hidden":           `@media not all and (min-width: 768px){.max-md\:hidden{display:none}}`,
		"print:hidden":            `@media print{.print\:hidden{display:none}}`,
		"rtl:mr-1":                `.rtl\:mr-1:where([dir="rtl"], [dir="rtl"] *){margin-right:0.25rem}`,
		"placeholder:italic":      `.placeholder\:italic::placeholder{font-style:italic}`,
		"hover:before:p-1":        `.hover\:before\:p-1:hover::before{content:var(--tw-content, "");padding:0.25rem}`,
		"data-[state=open]:block": `.data-\[state\=open\]\:block[data-state="open"]{display:block}`,
		"dark:hidden": `:where(:root[data-scheme="dark"]) .dark\:hidden{display:none}` +
			`@media (prefers-color-scheme: dark){:where(:root:not([data-scheme="light"])) .dark\:hidden{display:none}}`,
	} {
		if got := string(g.CSS([]string{class})); got != "@layer utilities{"+want+"}" {
			t.Errorf("%s gives\n\t%s, want\n\t%s", class, got, want)
		}
	}
}

func TestDefaultColorsComeFromTheme(t *testing.T) {
	g := New(Theme{})
	for class, want := range map[string]string{
		"text-primary":         `.text-primary{color:var(--accent)}`,
		"bg-primary-dark/10":   `.bg-primary-dark\/10{background-color:color-mix(in srgb, var(--accent) calc(0.1 * 100%), transparent)}`,
		"fill-background-dark": `.fill-background-dark{fill:#0e1014}`,
	} {
		if got := string(g.CSS([]string{class})); got != "@layer utilities{"+want+"}" {
			t.Errorf("%s gives %s", class, got)
		}
	}
}

func BenchmarkCSSOfAPage(b *testing.B) {
	in, err := os.ReadFile("testdata/sheet/in")
	if err != nil {
		b.Fatal(err)
	}
	classes := strings.Fields(string(in))
	g := New(theme)
	for b.Loop() {
		g.CSS(classes)
	}
}

func TestUnknownClassHasNoRule(t *testing.T) {
	g := New(theme)
	for _, class := range []string{
		"", "card", "p-13", "text-huge", "bg-red-55", "-p-2", "-bg-red-500", "nope:flex", "flex-", "-", "!", ":", "md:",
		":flex", "[", "[]", "[a]", "[a:]", "p-[]",
		"bg-red-500/101", "bg-red-500/x", "flex/50", "w-[calc(1px]", "group-nope:flex", "aria-nope:flex", "a b",
		"bg-black/+5", "[&]", "[p]:m-0",
	} {
		if css := g.CSS([]string{class}); css != nil {
			t.Errorf("%q gives %s", class, css)
		}
	}
}

func TestHostileValuesAreRefused(t *testing.T) {
	g := New(theme)
	for _, class := range []string{
		"bg-[url(https://evil.example)]", "bg-[URL(x)]", "bg-[image-set('x'_1x)]", "[background:url(x)]",
		"content-['</style>']", "p-[1px;color:red]", "p-[1px}body{x:y]",
		"p-[1px/**/]", `content-["\3c"]`, "w-[expression(alert(1))]", "[behavior:x(y)]", "[@import_'x']:flex",
		"[&{}]:flex", "[&,body]:flex", "[body_&]x:flex", "[&_</style>]:p-2",
		"p-[1px)]", "p-[(1px]", "content-['a]", "w-[-moz-element(#x)]", "w-[src('x')]", "[@media_screen){body{x]:p-2",
		"supports-[x){}y{]:p-2", "data-[a=\"]]:p-2", "p-[@x]", "p-[!important]",
		"bg-[element(#x)]", "has-[a,b]:p-2", "w-[theme('x')]", "group-hover/a.b:p-2", "p-[" + strings.Repeat("1", 300) +
			"]", strings.Repeat("hover:", 20) + "p-2", "p-[\x00]", "p-[\xff]",
	} {
		if css := g.CSS([]string{class}); css != nil {
			t.Errorf("%q gives %s", class, css)
		}
	}
}

func TestMoreSpecificClassWins(t *testing.T) {
	g := New(theme)
	before := func(list ...string) {
		t.Helper()
		reversed := slices.Clone(list)
		slices.Reverse(reversed)
		css := string(g.CSS(reversed))
		last := -1
		for _, c := range list {
			at := strings.Index(css, "."+escape(c)+"{")
			if at < 0 {
				at = strings.Index(css, "."+escape(c)+":")
			}
			if at <= last {
				t.Errorf("%s is too early in %s", c, css)
			}
			last = at
		}
	}
	before("p-4", "px-2", "pt-1", "sm:p-4", "md:p-0", "lg:p-1", "2xl:p-2", "dark:p-3", "print:p-0")
	before("border", "border-b", "border-red-500", "border-b-red-500", "hover:border-red-500")
	before("flex", "hidden", "first:flex", "hover:flex", "focus:flex", "max-lg:flex", "max-sm:flex", "md:flex",
		"rtl:flex", "dark:flex")
	before("text-sm", "leading-6", "text-red-500", "md:text-sm", "md:leading-6")
	before("block", "hidden", "dark:block", "dark:hidden", "dark:hover:block", "dark:md:block")
}

func TestOutputDependsOnlyOnSetOfClasses(t *testing.T) {
	in, err := os.ReadFile("testdata/sheet/in")
	if err != nil {
		t.Fatal(err)
	}
	classes := strings.Fields(string(in))
	g := New(theme)
	want := g.CSS(classes)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			mine := append(slices.Clone(classes), classes[:i]...)
			r := rand.New(rand.NewPCG(uint64(i), 1))
			r.Shuffle(len(mine), func(a, b int) { mine[a], mine[b] = mine[b], mine[a] })
			if got := g.CSS(mine); !bytes.Equal(got, want) {
				t.Errorf("order %d gives different bytes", i)
			}
		})
	}
	wg.Wait()
}

func TestComposedValuesAreResetForChildren(t *testing.T) {
	css := string(New(theme).CSS([]string{"-translate-x-1/2", "scale-105", "hover:rotate-3"}))
	if !strings.Contains(css, `:where(.-translate-x-1\/2,.scale-105,.hover\:rotate-3:hover){--tw-translate-x:0;`) {
		t.Error(css)
	}
	if css := string(New(theme).CSS([]string{"border-b"})); !strings.HasPrefix(css,
		"@layer utilities{:where(.border-b){border:0 solid") {
		t.Error(css)
	}
}

func TestAnimationsHaveKeyframesAndRespectReducedMotion(t *testing.T) {
	css := string(New(theme).CSS([]string{"animate-spin", "md:animate-spin"}))
	if strings.Count(css, "@keyframes tw-spin") != 1 ||
		!strings.Contains(css, "@media (prefers-reduced-motion: no-preference){@keyframes") {
		t.Error(css)
	}
}

func TestCandidatesAreFoundInAnySource(t *testing.T) {
	got := Candidates(
		"const a = cond ? \"flex w-[calc(100%-2rem)]\" : 'md:p-2'; <p className={`grid ${x ? 'gap-2' : \"\"}-mt-1 !p-0`}>don't hidden</p>\n{class:\"hover:[&_p]:m-0\"}")
	for _, want := range []string{"flex", "w-[calc(100%-2rem)]", "md:p-2", "grid", "gap-2", "-mt-1", "!p-0", "hidden",
		"hover:[&_p]:m-0"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not in %q", want, got)
		}
	}
	if n := len(Candidates(strings.Repeat("ab", 1))); n != 1 {
		t.Errorf("%d candidates", n)
	}
	var many strings.Builder
	for i := range 2 * maxCandidates {
		fmt.Fprintf(&many, "p-%d ", i)
	}
	if n := len(Candidates(many.String())); n != maxCandidates {
		t.Errorf("%d candidates", n)
	}
}

func TestTimeIsLinearInClasses(t *testing.T) {
	g := New(theme)
	start := time.Now()
	for i := range 30_000 {
		g.CSS([]string{strings.Repeat("p-[(", 40) + fmt.Sprint(i), strings.Repeat("-", 190), strings.Repeat("[", 190)})
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	if len(g.known) > maxKnown {
		t.Errorf("caches %d classes", len(g.known))
	}
}

func FuzzCSSStaysInsideItsLayer(f *testing.F) {
	in, err := os.ReadFile("testdata/sheet/in")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range strings.Fields(string(in)) {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, class string) {
		css := string(New(theme).CSS([]string{class}))
		if css == "" {
			return
		}
		if strings.ContainsAny(css, "<\x00\r") || strings.Contains(strings.ToLower(css), "url(") ||
			strings.Contains(css, "/*") {
			t.Fatalf("%q gives %q", class, css)
		}
		if depth := braces(css); depth != "" {
			t.Fatalf("%q gives %q: %s", class, css, depth)
		}
	})
}

// braces checks whether braces are balanced the way a CSS parser reads them. It returns a description of the error, or
// "".
func braces(css string) string {
	depth, quote := 0, byte(0)
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 || depth == 0 && i < len(css)-1 && css[i+1] != '@' {
				return fmt.Sprintf("the layer ends at byte %d", i)
			}
		}
	}
	if depth != 0 || quote != 0 {
		return "something stays open"
	}
	return ""
}
