package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// words is the vocabulary of the pages.
var words = strings.Fields(`configure deploy token request response webhook retry timeout cluster schema index query cache worker queue payload
	signature header route tenant region bucket object stream event cursor batch policy role secret rotate audit export import render bundle archive
	version release branch commit merge review draft publish search assistant agent prompt context snippet section heading anchor image table`)

// author generates one page. The same seed gives the same page.
type author struct {
	bytes.Buffer
	r     *rand.Rand
	links []string // possible link targets
}

func newAuthor(seed uint64, links []string) *author {
	return &author{r: rand.New(rand.NewPCG(seed, 17)), links: links}
}

func (a *author) printf(format string, args ...any) { fmt.Fprintf(a, format, args...) }

func (a *author) word() string { return words[a.r.IntN(len(words))] }

// name returns a word that no other block contains, so that nothing is cached from another page by chance.
func (a *author) name() string { return fmt.Sprintf("%s%d", a.word(), a.r.IntN(1_000_000)) }

func (a *author) between(least, most int) int { return least + a.r.IntN(most-least+1) }

// phrase returns some words without markup.
func (a *author) phrase(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = a.word()
	}
	return strings.ToUpper(out[0][:1]) + strings.Join(out, " ")[1:]
}

// sentence contains markup as in typical prose: about one in four has a link, one in two code or emphasis.
func (a *author) sentence() string {
	out := strings.Fields(a.phrase(a.between(7, 18)))
	switch a.r.IntN(8) {
	case 0, 1:
		out[2] = fmt.Sprintf("[%s %s](/%s)", out[2], a.word(), a.links[a.r.IntN(len(a.links))])
	case 2, 3:
		out[3] = "`" + a.name() + "`"
	case 4:
		out[1] = "**" + out[1] + "**"
	case 5:
		out[4] = "_" + out[4] + "_"
		out[5] += ","
	}
	return strings.Join(out, " ") + "."
}

func (a *author) prose() string {
	out := make([]string, a.between(1, 4))
	for i := range out {
		out[i] = a.sentence()
	}
	return strings.Join(out, " ")
}
