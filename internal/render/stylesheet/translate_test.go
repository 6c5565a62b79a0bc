package stylesheet

import (
	"bytes"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/web/theme"
)

func TestSelectorsMatchOurHTML(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing to do", `.card > a:hover, #navbar[x] { color: red } @media print { p { margin: 0 } }`, ""},
		{"elements that are classes here", `callout{a:b} html:not(.dark) toc-item[data-active] a, p{}`,
			`:is(callout,:where(.callout)){a:b} html:not(.dark) :is(toc-item,:where(.toc-item))[data-active] a, p{}`},
		{"in at-rules", `@media (min-width: 1px) { card { x: y } }`,
			`@media (min-width: 1px) { :is(card,:where(.card)) { x: y } }`},
		{"in rules", `#content { color: red; callout { x: y } }`,
			`#content { color: red; :is(callout,:where(.callout)) { x: y } }`},
		{"in functions", `:is(card, p):not(:lang(card)) a:nth-child(2n of step) {}`,
			`:is(:is(card,:where(.card)), p):not(:lang(card)) a:nth-child(2n of step) {}`},
		{"links", `.link > code, a.link {}`,
			`:is(.link,:where(.prose a[href])) > code, a:is(.link,:where(.prose a[href])) {}`},
		{"ids that our HTML does not have", `#sidebar-group > li{}`, `:is(#sidebar-group,:where(.sidebar-group)) > li{}`},
		{"titles of the sidebar", `#sidebar h5, h5 {}`, `#sidebar :is(h5,:where(.sidebar-title)), h5 {}`},
		{"paragraphs", `div > span[data-as="p"] {}`, `div > :is(span[data-as="p"],:where(p)) {}`},
		{"paragraphs with a class", `.x[data-as=p] code {}`, `.x:is([data-as=p],:where(p)) code {}`},
		{"parts", `h2[data-component-part="card-title"] {}`, `:is(h2,:where(*))[data-component-part="card-title"] {}`},
		{"a component as another element", `a.card:hover, a .card {}`, `:is(a,:where(*)).card:hover, a .card {}`},
		{"buttons of the sidebar", `#sidebar button {}`, `#sidebar :is(button,:where(summary)) {}`},
		{"groups inside groups", `#sidebar-group>li > button, .sidebar-group > li > ul > li, li > ul {}`,
			`:is(#sidebar-group,:where(.sidebar-group))>li  :is(button,:where(summary)):where(li>*,li>details>*), ` +
				`.sidebar-group > li  ul:where(li>*,li>details>*) > li, li > ul {}`},
		{"groups inside groups, and links", `#navigation-items li > :is(a, button) {}`,
			`#navigation-items li  :where(li>*,li>details>*):is(a, :is(button,:where(summary))) {}`},
		{"what opens something", `.accordion button, #sidebar button[aria-expanded="true"] a {}`,
			`.accordion :is(button,:where(summary)), ` +
				`#sidebar :is(button[aria-expanded="true"],:where(details[open]>summary)) a {}`},
		{"titles of cards", `.card h2, [class*="card_"] h2, h2 {}`,
			`.card :is(h2,:where([data-component-part="card-title"])), [class*="card_"] h2, h2 {}`},
		{"links that are cards", `a.card[href^="/"] a[href] {}`,
			`:is(a,:where(*)).card:is([href^="/"],:where(:has(.card-link[href^="/"]))) a[href] {}`},
		{"links that are cards, by a part of the class", `a[class*="card"] {}`, `:is(a,:where(.card-linked))[class*="card"]` +
			ownParts("card") + ` {}`},
		{"logos", `img[alt="dark logo"], [alt*="logo"] {}`,
			`img:is([alt="dark logo"],:where(.nav-logo:not(.only-light))), :is([alt*="logo"],:where(.nav-logo)) {}`},
		{"logos in the text", `img[alt="Our logo"], [alt$="dark logo of ours"], [alt~="logos"], [alt] {}`,
			`img[alt="Our logo"], [alt$="dark logo of ours"], [alt~="logos"], [alt] {}`},
		{"logos by a part of their text", `[alt^="light"], [alt$=logo], [alt~='dark'] {}`,
			`:is([alt^="light"],:where(.nav-logo:not(.only-dark))), :is([alt$=logo],:where(.nav-logo)), ` +
				`:is([alt~='dark'],:where(.nav-logo:not(.only-light))) {}`},
		{"states", `[role="tab"][data-state="active"], [data-state] p {}`,
			`[role="tab"]:is([data-state="active"],:where([aria-selected="true"])), [data-state] p {}`},
		{"the scheme", `html[style*="color-scheme: dark"] p, [style*="color-scheme:light"], [style*="color-scheme"] {}`,
			`html:is([style*="color-scheme: dark"],:where(.dark)) p, ` +
				`:is([style*="color-scheme:light"],:where(:root:not(.dark))), :is([style*="color-scheme"],:where(:root)) {}`},
		{"backgrounds of code", `.code-block-background, [class*="code-block-background"] {}`,
			`:is(.code-block-background,:where(.code-block pre)), ` +
				`:is([class*="code-block-background"],:where(.code-block pre)) {}`},
		{"not inside of the theme's parts", `.x [class*="footer-ro"] a, [class="footer"] {}`,
			`.x [class*="footer-ro"]:not(:where(:is(.footer-row):not(.footer))) a, [class="footer"] {}`},
		{"what a rule excludes", `a:not(b [class*=footer-ro]):is([class*=lost-se]) {}`,
			`a:not(b [class*=footer-ro]):is([class*=lost-se]:not(:where(.lost-search))) {}`},
		{"not in values", `a { card: callout; grid-area: step } @keyframes card { from { x: y } }`, ""},
		{"not in attributes and strings", `[card="step"] { content: "callout {" }`, ""},
		{"the theme's variables", `:root { --accent: red; --mine: 1 } a { color: var(--accent, var(--line)) }`,
			`:root { --author-accent: red; --mine: 1 } a { color: var(--author-accent, var(--author-line)) }`},
		{"brackets that close another", `span[data-as) callout] card {}`,
			`:is(span[data-as) callout],:where(p)) :is(card,:where(.card)) {}`},
		{"a function that closes another", `:is(card] step) :not(a] card) {}`,
			`:is(:is(card,:where(.card))] :is(step,:where(.step))) :not(a] :is(card,:where(.card))) {}`},
		{"unclosed", `callout { a: b; step {`, `:is(callout,:where(.callout)) { a: b; :is(step,:where(.step)) {`},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got := string(Translate([]byte(c.in))); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", c.name, got, want)
		}
	}
}

// themeVariables lists exactly the variables that the theme declares on its root element.
func TestThemeVariablesMatchStyleSheets(t *testing.T) {
	found := map[string]bool{"--accent": true, "--button": true, "--on-button": true}
	for _, name := range []string{"src/tokens.css", "src/content/flow.css"} {
		css, err := fs.ReadFile(theme.FS(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(--[a-z-]+):`).FindAllSubmatch(css, -1) {
			found[string(m[1])] = true
		}
	}
	if want := slices.Sorted(maps.Keys(found)); !slices.Equal(themeVariables, want) {
		t.Errorf("got  %q\nwant %q", themeVariables, want)
	}
}

func TestThemeClassesAreFound(t *testing.T) {
	parts, wholes := themeClasses()
	for name, want := range map[string][2]bool{ // whether the class belongs to parts, and whether to wholes
		"card-body": {true, false}, "footer-row": {true, false}, "navbar": {false, true},
		"toc-item": {}, "kd": {}, "woff2": {}, "navbar-of-another": {},
	} {
		_, part := slices.BinarySearch(parts, name)
		_, whole := slices.BinarySearch(wholes, name)
		if got := [2]bool{part, whole}; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// FuzzTranslate checks that only the heads of rules and variables change, and that Translate does not panic on any
// input.
func FuzzTranslate(f *testing.F) {
	for _, seed := range []string{"callout{", "a{b:c;step{", "#sidebar h5,h5{}", "}card{", "--accent", "@x{card{}}", ":is(card",
		"span[data-as)callout]{}", "[data-as)[data-as)card]]{}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out := Translate(in)
		if len(out) < len(readable(in)) {
			t.Fatalf("%q lost something: %q", in, out)
		}
		if !bytes.ContainsAny(in, "{") && !bytes.Contains(in, []byte("--")) && !bytes.Equal(out, readable(in)) {
			t.Fatalf("no rule, but %q → %q", in, out)
		}
	})
}
