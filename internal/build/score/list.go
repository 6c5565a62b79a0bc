package score

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// The checks of lists: llms.txt, sitemap, robots.

const llmsMax = 100_000 // characters

func (p *probe) hasLLMs() bool { return p.llms.is("text/plain", "text/markdown") }

func llmsThere(_ context.Context, p *probe) outcome {
	o := outcome{evidence: []string{p.llms.say("/llms.txt")}}
	if p.hasLLMs() && len(p.llms.Body) > 0 {
		o.share = 1
	}
	return o
}

var (
	heading1 = lazyregexp.New(`(?m)^# \S`)
	heading2 = lazyregexp.New(`(?m)^## \S`)
	linkItem = lazyregexp.New(`(?m)^\s*[-*] \[[^\]]+\]\([^)]+\)`)
)

func llmsForm(_ context.Context, p *probe) outcome {
	if !p.hasLLMs() {
		return outcome{evidence: []string{"no llms.txt"}}
	}
	text := string(p.llms.Body)
	n := utf8.RuneCountInString(text)
	h1, h2, items := len(heading1.FindAllString(text, -1)), len(heading2.FindAllString(text, -1)),
		len(linkItem.FindAllString(text, -1))
	o := outcome{evidence: []string{fmt.Sprintf("# headings: %d, ## headings: %d, links in lists: %d, characters: %d",
		h1, h2, items, n)}}
	for _, good := range []bool{h1 == 1 && heading1.MatchString(firstLine(text)), h2 > 0, items > 0, n <= llmsMax} {
		if good {
			o.share += 0.25
		}
	}
	return o
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\ufeff\r\n "), "\n")
	return line
}

// linksMax is the maximum number of links in llms.txt that are followed.
const linksMax = 20

func llmsLinks(ctx context.Context, p *probe) outcome {
	links := spread(p.links, linksMax)
	if len(links) == 0 {
		return outcome{evidence: []string{"llms.txt lists no page of the site"}}
	}
	o, good := outcome{}, 0.0
	for _, l := range links {
		switch a := p.get(ctx, l); {
		case a.Status == http.StatusOK && a.kind() != "text/html":
			good++
		case a.Status == http.StatusOK:
			good += 0.5
			o.evidence = append(o.evidence, l+" points to HTML")
		default:
			o.evidence = append(o.evidence, a.say(l))
		}
	}
	if o.share = good / float64(len(links)); o.share == 1 {
		o.evidence = []string{fmt.Sprintf("%d of %d links followed", len(links), len(p.links))}
	}
	return o
}

// spread selects at most n evenly distributed entries.
func spread(list []string, n int) (out []string) {
	step := max(1, (len(list)+n-1)/n)
	for i := 0; i < len(list); i += step {
		out = append(out, list[i])
	}
	return out
}

func llmsFull(ctx context.Context, p *probe) outcome {
	a := p.get(ctx, "/llms-full.txt")
	o := outcome{evidence: []string{a.say("/llms-full.txt")}}
	if a.is("text/plain", "text/markdown") && len(a.Body) > len(p.llms.Body)/2 {
		o.share = 1
	}
	return o
}

// Minimum shares for a sitemap to pass.
const (
	datedLeast   = 0.8
	coveredLeast = 0.95
)

func sitemap(ctx context.Context, p *probe) outcome {
	if len(p.mapped) == 0 {
		return outcome{evidence: []string{p.get(ctx, "/sitemap.xml").say("/sitemap.xml"), "it contains no addresses"}}
	}
	dated, known := 0, map[string]bool{}
	for _, e := range p.mapped {
		known[e.path] = true
		if e.dated {
			dated++
		}
	}
	var lacking []string
	for _, l := range p.links {
		page, isPage := strings.CutSuffix(l, ".md")
		if page = strings.TrimSuffix(page, "/index"); page == "" {
			page = "/"
		}
		if isPage && !known[page] && !known[page+"/index"] && l != "/skill.md" {
			lacking = append(lacking, page)
		}
	}
	covered := 1.0
	if len(p.links) > 0 {
		covered = 1 - float64(len(lacking))/float64(len(p.links))
	}
	withDates := float64(dated) / float64(len(p.mapped))
	o := outcome{share: 0.5, evidence: []string{fmt.Sprintf("addresses: %d, with a date: %d", len(p.mapped), dated)}}
	o.share += 0.2 * min(1, withDates/datedLeast)
	o.share += 0.3 * min(1, covered/coveredLeast)
	if covered < coveredLeast {
		o.evidence = append(o.evidence,
			"in llms.txt but not in the sitemap: "+strings.Join(lacking[:min(5, len(lacking))], ", "))
	}
	return o
}

// agents are the crawlers that must not be blocked, because their users would not find the site.
var agents = []string{"*", "gptbot", "oai-searchbot", "chatgpt-user", "claudebot", "claude-user", "perplexitybot",
	"google-extended"}

func robots(ctx context.Context, p *probe) outcome {
	a := p.get(ctx, "/robots.txt")
	o := outcome{evidence: []string{a.say("/robots.txt")}}
	if !a.is("text/plain") {
		return o
	}
	o.share = 0.4
	text := strings.ToLower(string(a.Body))
	if shut := disallowed(text); len(shut) == 0 {
		o.share += 0.3
	} else {
		o.evidence = append(o.evidence, "blocked: "+strings.Join(shut, ", "))
	}
	for _, line := range []string{"sitemap:", "content-signal:"} {
		if regexp.MustCompile(`(?m)^\s*` + line + `\s*\S`).MatchString(text) {
			o.share += 0.15
		} else {
			o.evidence = append(o.evidence, "no line "+line)
		}
	}
	return o
}

// disallowed returns the agents that may not read anything. It parses groups as crawlers do: user-agent lines
// followed by rules.
func disallowed(text string) (out []string) {
	var group []string
	rules := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		key, value, _ := strings.Cut(line, ":")
		switch key, value = strings.TrimSpace(key), strings.TrimSpace(value); key {
		case "user-agent":
			if rules {
				group, rules = nil, false
			}
			group = append(group, value)
		case "disallow":
			rules = true
			for _, g := range group {
				if value == "/" && slices.Contains(agents, g) {
					out = append(out, g)
				}
			}
		case "allow":
			rules = true
		}
	}
	return out
}
