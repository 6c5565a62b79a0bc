package main

import (
	"strconv"
	"strings"
)

// block generates one part of a page.
type block struct {
	weight int // relative frequency
	plain  bool
	write  func(a *author)
}

// blocks resemble real pages: mostly prose, a heading and a code block per screen, some components.
var blocks = []block{
	{30, true, func(a *author) { a.printf("%s\n\n", a.prose()) }},
	{14, true, func(a *author) { a.printf("## %s\n\n%s\n\n", a.phrase(a.between(2, 5)), a.prose()) }},
	{5, true, func(a *author) { a.printf("### %s\n\n", a.phrase(a.between(2, 4))) }},
	{9, true, (*author).list},
	{4, true, (*author).numbers},
	{5, true, (*author).table},
	{12, true, func(a *author) { a.fence(a.r.IntN(len(samples)), "") }},
	{1, true, func(a *author) { a.printf("> %s\n\n", a.sentence()) }},
	{1, true, func(a *author) { a.printf("![%s](/images/one.png)\n\n", a.phrase(3)) }},
	{7, false, (*author).callout},
	{4, false, (*author).cards},
	{3, false, (*author).tabs},
	{3, false, (*author).steps},
	{3, false, (*author).codeGroup},
	{3, false, (*author).accordions},
	{2, false, (*author).fields},
}

func (a *author) list() {
	for range a.between(3, 7) {
		a.printf("- %s\n", a.sentence())
		if a.r.IntN(6) == 0 {
			a.printf("  - %s\n", a.sentence())
		}
	}
	a.printf("\n")
}

func (a *author) numbers() {
	for i := range a.between(2, 5) {
		a.printf("%d. %s\n", i+1, a.sentence())
	}
	a.printf("\n")
}

func (a *author) table() {
	a.printf("| %s | Type | Meaning |\n| --- | :---: | --- |\n", a.phrase(1))
	for range a.between(3, 8) {
		a.printf("| `%s` | string | %s |\n", a.name(), a.sentence())
	}
	a.printf("\n")
}

func (a *author) callout() {
	name := []string{"Note", "Tip", "Warning", "Info", "Check"}[a.r.IntN(5)]
	a.printf("<%s>\n  %s\n</%s>\n\n", name, a.prose(), name)
}

func (a *author) cards() {
	a.printf("<CardGroup cols={%d}>\n", a.between(2, 3))
	for range a.between(2, 4) {
		icon := []string{"rocket", "book-open", "code", "gear", "key"}[a.r.IntN(5)]
		a.printf("  <Card title=%q icon=%q href=\"/%s\">\n    %s\n  </Card>\n", a.phrase(2), icon,
			a.links[a.r.IntN(len(a.links))], a.sentence())
	}
	a.printf("</CardGroup>\n\n")
}

func (a *author) tabs() {
	a.printf("<Tabs>\n")
	for range a.between(2, 3) {
		a.printf("  <Tab title=%q>\n    %s\n", a.phrase(1), a.prose())
		a.indented(a.r.IntN(len(samples)), "", "    ")
		a.printf("  </Tab>\n")
	}
	a.printf("</Tabs>\n\n")
}

func (a *author) steps() {
	a.printf("<Steps>\n")
	for range a.between(2, 4) {
		a.printf("  <Step title=%q>\n    %s\n", a.phrase(3), a.prose())
		if a.r.IntN(2) == 0 {
			a.indented(a.r.IntN(len(samples)), "", "    ")
		}
		a.printf("  </Step>\n")
	}
	a.printf("</Steps>\n\n")
}

func (a *author) codeGroup() {
	a.printf("<CodeGroup>\n\n")
	first := a.r.IntN(len(samples))
	for i := range a.between(2, 3) {
		a.fence((first+i)%len(samples), " "+a.word())
	}
	a.printf("</CodeGroup>\n\n")
}

func (a *author) accordions() {
	a.printf("<AccordionGroup>\n")
	for range a.between(2, 3) {
		a.printf("  <Accordion title=%q icon=\"circle-question\">\n    %s\n  </Accordion>\n", a.phrase(5), a.prose())
	}
	a.printf("</AccordionGroup>\n\n")
}

func (a *author) fields() {
	for range a.between(2, 4) {
		a.printf("<ParamField path=%q type=\"string\" required>\n  %s\n</ParamField>\n\n", a.name(), a.sentence())
	}
}

// formulas generates a paragraph with inline math and a block formula. All of them differ.
func (a *author) formulas() {
	n, m := strconv.Itoa(a.r.IntN(1_000_000)), a.word()
	a.printf(
		"For $x_{%s} \\leq \\frac{%s}{\\sqrt{k}}$ the sum is bounded.\n\n$$\n\\sum_{k=1}^{%s} \\text{%s}_k^2 = \\int_0^1 f(x)\\,dx\n$$\n\n", n, n, n, m)
}

// fence generates a code block in one of the languages.
func (a *author) fence(sample int, meta string) { a.indented(sample, meta, "") }

func (a *author) indented(sample int, meta, by string) {
	s := samples[sample]
	code := s.code
	for _, name := range s.names {
		code = strings.ReplaceAll(code, name, a.name())
	}
	code = strings.ReplaceAll("```"+s.lang+meta+"\n"+code+"```", "\n", "\n"+by)
	a.printf("%s%s\n\n", by, code)
}
