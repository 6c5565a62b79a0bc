package score

import (
	"context"
	"math"
)

// Status is the result of a check.
type Status string

// The results of a check.
const (
	Pass    Status = "pass"
	Partial Status = "partial"
	Fail    Status = "fail"
)

// Result is the result of one check.
type Result struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Weight   int      `json:"weight"` // maximum points; the total is 100
	Points   float64  `json:"points"` // achieved points
	Status   Status   `json:"status"`
	Evidence []string `json:"evidence"` // what was examined and found
	Hint     string   `json:"hint"`     // how to fix it; "" if it passed
}

// Report is the result of all checks.
type Report struct {
	URL    string   `json:"url"`
	Score  int      `json:"score"`  // 0 to 100, rounded down: 100 only if everything passed
	Pages  []string `json:"pages"`  // the sample
	Checks []Result `json:"checks"` // in the order of the documentation
}

// outcome is the result of a check: its share of the points and the evidence.
type outcome struct {
	share    float64
	evidence []string
}

// check is one of the twenty checks.
type check struct {
	id, title string
	weight    int
	run       func(ctx context.Context, p *probe) outcome
	hint      string
}

// checks is the complete list; a test verifies the sum of the weights.
var checks = []check{
	{"llms-txt", "llms.txt exists", 8, llmsThere,
		"Serve a list of all pages as plain text at /llms.txt."},
	{"llms-txt-form", "llms.txt has the usual form and size", 4, llmsForm,
		"Start with one # heading, group links under ## headings as \"- [title](address): description\", " +
			"and keep it within 100,000 characters."},
	{"llms-txt-links", "Links in llms.txt point to Markdown", 7, llmsLinks,
		"Link to the Markdown version of each page, and remove dead links."},
	{"llms-full-txt", "llms-full.txt exists", 3, llmsFull,
		"Serve the text of all pages in one file at /llms-full.txt."},
	{"markdown-twins", "Each page has a Markdown version", 8, twins,
		"Serve the Markdown of a page at its address with .md added, as text/markdown."},
	{"content-negotiation", "Accept: text/markdown gets Markdown", 8, negotiation,
		"At a page's own address, return Markdown to requests for text/markdown and HTML to others, " +
			"and send Vary: Accept."},
	{"link-headers", "Headers link to the other versions", 4, linkHeaders,
		"Send Link headers with rel=\"alternate\" for the Markdown version and with the address of llms.txt."},
	{"sitemap", "The sitemap is complete and has dates", 6, sitemap,
		"Serve /sitemap.xml with every listed page and a lastmod for each."},
	{"robots-txt", "robots.txt allows crawlers and states permitted uses", 5, robots,
		"Serve a /robots.txt that blocks nothing agents should read, with a Sitemap line and a Content-Signal line."},
	{"canonical", "Each page has a canonical address", 4, canonical,
		"Add <link rel=\"canonical\"> with the full address to each page."},
	{"descriptions", "Each page has a title and a description", 5, descriptions,
		"Give each page a title and a description in its front matter."},
	{"structured-data", "Each page has structured data", 4, structured,
		"Put a JSON-LD block with @context into each page."},
	{"headings", "Headings form an outline", 4, headings,
		"Use one h1 per page, and do not skip heading levels."},
	{"alt-texts", "Images have alt text", 3, altTexts,
		"Give each image an alt text, or an empty one if it is decorative."},
	{"no-script", "Pages can be read without JavaScript", 8, noScript,
		"Include the text of a page in its HTML."},
	{"page-weight", "Pages are small", 3, weight,
		"Keep the HTML of a page below 500 kB."},
	{"status-codes", "Status codes are correct", 5, statuses,
		"Return 404 for an unknown address, the same status for HEAD as for GET, and a redirect for other spellings of a page's address."},
	{"well-known", "Skills and API descriptions are discoverable", 3, wellKnown,
		"Serve /skill.md, an index of skills with digests below /.well-known/agent-skills/, and, for APIs, /.well-known/api-catalog."},
	{"mcp", "An MCP server responds", 5, mcpServer,
		"Serve an MCP server that searches the pages at /mcp, and list it in /.well-known/mcp/server-card.json."},
	{"parity", "Both versions of a page have the same content", 3, parity,
		"Generate the whole Markdown version from the same source as the HTML."},
}

// Run runs all checks. It returns an error only if the site does not respond at all.
func Run(ctx context.Context, address string, do Do) (*Report, error) {
	p, err := newProbe(ctx, address, do)
	if err != nil {
		return nil, err
	}
	r := &Report{URL: p.base.String(), Pages: []string{}, Checks: []Result{}}
	for _, page := range p.sample {
		r.Pages = append(r.Pages, page.path)
	}
	sum := 0.0
	for _, c := range checks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one := c.result(c.run(ctx, p))
		sum += one.Points
		r.Checks = append(r.Checks, one)
	}
	r.Score = int(math.Floor(sum + 1e-6))
	return r, nil
}

// maxEvidence limits the evidence of one check.
const maxEvidence = 8

func (c check) result(o outcome) Result {
	share := min(max(o.share, 0), 1)
	points := math.Round(share*float64(c.weight)*100) / 100
	r := Result{ID: c.id, Title: c.title, Weight: c.weight, Points: points, Status: Partial, Evidence: o.evidence,
		Hint: c.hint}
	switch {
	case share >= 1:
		r.Status, r.Hint = Pass, ""
	case share <= 0:
		r.Status = Fail
	}
	if r.Evidence == nil {
		r.Evidence = []string{}
	}
	if len(r.Evidence) > maxEvidence {
		r.Evidence = r.Evidence[:maxEvidence]
	}
	return r
}
