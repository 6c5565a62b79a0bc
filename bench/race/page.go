package race

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// site is a generated folder of pages.
type site struct {
	pages int
	mdx   bool // components between the same text, and a docs.json
}

const perSection = 20

// colour is the initial color in docs.json.
const colour = "#0D9373"

func pagePath(i int) string { return fmt.Sprintf("section-%04d/page-%06d", i/perSection, i) }

func (s site) file(i int) string {
	if s.mdx {
		return pagePath(i) + ".mdx"
	}
	return pagePath(i) + ".md"
}

// write writes the folder. The same site has the same bytes on every machine.
func (s site) write(dir string) error {
	for i := range s.pages {
		name := filepath.Join(dir, filepath.FromSlash(s.file(i)))
		if i%perSection == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(name, s.page(i), 0o644); err != nil {
			return err
		}
	}
	if !s.mdx {
		return nil
	}
	config, err := s.config(colour)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "docs.json"), config, 0o644)
}

// config returns docs.json, with every section as a group.
func (s site) config(colour string) ([]byte, error) {
	type group struct {
		Group string   `json:"group"`
		Pages []string `json:"pages"`
	}
	var groups []group
	for i := range s.pages {
		if i%perSection == 0 {
			groups = append(groups, group{Group: fmt.Sprintf("Section %d", i/perSection)})
		}
		g := &groups[len(groups)-1]
		g.Pages = append(g.Pages, pagePath(i))
	}
	return json.MarshalIndent(map[string]any{
		"name": "Race", "theme": "mint", "colors": map[string]string{"primary": colour},
		"navigation": map[string]any{"groups": groups},
	}, "", " ")
}

// page returns a source file of about 8 kB.
func (s site) page(i int) []byte {
	a := &author{r: rand.New(rand.NewPCG(uint64(i), 5)), extra: rand.New(rand.NewPCG(uint64(i), 6)), page: i,
		pages: s.pages, mdx: s.mdx}
	a.printf("---\ntitle: \"%s %d\"\ndescription: \"%s.\"\n---\n\n", a.phrase(2), i, a.phrase(8))
	a.printf("%s\n\n", a.prose())
	for _, part := range []func(){a.list, a.code, a.table, a.numbers, a.code, a.quote} {
		a.printf("## %s\n\n%s\n\n", a.phrase(3), a.prose())
		part()
		a.printf("### %s\n\n%s\n\n", a.phrase(2), a.prose())
		a.component()
	}
	return a.Bytes()
}

// author generates one page. Components use a separate random source, so that the surrounding text is the same as in
// the plain page.
type author struct {
	bytes.Buffer
	r, extra    *rand.Rand
	page, pages int
	mdx         bool
	blocks      int // number of code blocks so far
	lang        int // language of the first code block
	components  int
}

func (a *author) printf(format string, args ...any) { fmt.Fprintf(a, format, args...) }

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// phrase returns some words without markup, the first one capitalized.
func (a *author) phrase(n int) string { return phraseOf(a.r, n) }

func phraseOf(r *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = pick(r, words)
		if i%3 == 1 && n > 3 {
			out[i] = pick(r, verbs)
		}
	}
	return strings.ToUpper(out[0][:1]) + strings.Join(out, " ")[1:]
}

// sentence returns a phrase with typical markup.
func (a *author) sentence() string {
	w := strings.Fields(a.phrase(8 + a.r.IntN(9)))
	w[2] = "the " + w[2]
	switch a.r.IntN(6) {
	case 0:
		w[3] = "**" + w[3] + "**"
	case 1:
		w[5] = "`" + a.name() + "`"
	case 2:
		w[6] = "*" + w[6] + "*,"
	case 3:
		w[5] = a.link(w[5])
	}
	return strings.Join(w, " ") + "."
}

func (a *author) link(text string) string {
	return "[" + text + "](/" + pagePath(a.r.IntN(a.pages)) + ")"
}

func (a *author) prose() string {
	out := make([]string, 3+a.r.IntN(3))
	for i := range out {
		out[i] = a.sentence()
	}
	return strings.Join(out, " ")
}

// name returns an identifier made of two words.
func (a *author) name() string {
	second := pick(a.r, words)
	return pick(a.r, words) + strings.ToUpper(second[:1]) + second[1:]
}

// code generates a code block that no other page contains: it includes the page's number and the block's.
func (a *author) code() {
	if a.blocks == 0 {
		a.lang = a.r.IntN(len(samples))
	}
	// the second block of a page is in another language
	s := samples[(a.lang+a.blocks*(1+a.r.IntN(len(samples)-1)))%len(samples)]
	pairs := []string{"NUMBER", fmt.Sprint(a.page*2 + a.blocks + 1)}
	for n := range 4 {
		pairs = append(pairs, fmt.Sprintf("NAME%d", n+1), a.name())
	}
	a.blocks++
	a.printf("```%s\n%s```\n\n", s.lang, strings.NewReplacer(pairs...).Replace(s.code))
}

func (a *author) list() {
	for range 5 {
		a.printf("- %s See %s.\n", a.sentence(), a.link(pick(a.r, words)))
	}
	a.printf("\n")
}

func (a *author) numbers() {
	for i := range 4 {
		a.printf("%d. %s\n", i+1, a.sentence())
	}
	a.printf("\n")
}

func (a *author) table() {
	a.printf("| Field | Type | Meaning |\n| --- | :---: | --- |\n")
	for range 6 {
		a.printf("| `%s` | %s | %s. |\n", a.name(), pick(a.r, words), a.phrase(7))
	}
	a.printf("\n")
}

func (a *author) quote() { a.printf("> %s\n\n", a.prose()) }

// component generates one of four components, in turn. Plain pages have none.
func (a *author) component() {
	if !a.mdx {
		return
	}
	text := func() string { return phraseOf(a.extra, 10) + "." }
	title := func() string { return phraseOf(a.extra, 2) }
	switch a.components % 4 {
	case 0:
		a.printf("<Note>\n  %s **%s**\n</Note>\n\n", text(), title())
	case 1:
		a.printf("<Steps>\n  <Step title=%q>\n    %s\n  </Step>\n  <Step title=%q>\n    %s\n  </Step>\n</Steps>\n\n",
			title(), text(), title(), text())
	case 2:
		a.printf(
			"<Tabs>\n  <Tab title=\"First\">\n    %s\n  </Tab>\n  <Tab title=\"Second\">\n    %s\n  </Tab>\n</Tabs>\n\n", text(), text())
	case 3:
		a.printf("<CardGroup cols={2}>\n")
		for range 2 {
			a.printf("  <Card title=%q icon=\"rocket\" href=\"/%s\">\n    %s\n  </Card>\n", title(),
				pagePath(a.extra.IntN(a.pages)), text())
		}
		a.printf("</CardGroup>\n\n")
	}
	a.components++
}
