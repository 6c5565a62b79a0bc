package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/project"
)

const citeName = "cite"

func citeTool() tool {
	return tool{Tool: Tool{Name: citeName, Changes: true,
		Description: "Says which lines of the product's code a page relies on. They are checked, shown to reviewers, and watched: " +
			"people are informed when they change. Cite each fact that you took from the code.",
		Input: schema([]string{"page", "repository", "path", "line", "quotation"}, map[string]property{
			"page":       {"string", "Page of the docs folder that you changed, as shown by list."},
			"repository": {"string", "Name of a product repository."}, "path": {"string", "File as read_product has it."},
			"line":      {"integer", "First line of the quotation, from 1."},
			"quotation": {"string", "The lines as they are in the file; part of one line is enough."},
			"sentence":  {"string", "What the page says because of it, as it is in the page now; omit for the page as a whole."}})}, run: (*Toolset).cite}
}

// cite stores a receipt if the quotation occurs at the location that the model states.
func (d *Toolset) cite(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Page       string `json:"page" required:"true"`
		Repository string `json:"repository" required:"true"`
		Path       string `json:"path" required:"true"`
		Line       int    `json:"line" required:"true"`
		Quotation  string `json:"quotation" required:"true"`
		Sentence   string `json:"sentence"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	if err := d.knownProduct(in.Repository); err != nil {
		return "", err
	}
	switch {
	case strings.TrimSpace(in.Quotation) == "" || utf8.RuneCountInString(in.Quotation) > project.MaxQuotation:
		return "", refuse("quotation must have 1 to %d characters.", project.MaxQuotation)
	case len(d.cited) >= project.MaxReceipts:
		return "", refuse("There are %d citations already, which is the limit.", project.MaxReceipts)
	}
	page := plainPath(in.Page)
	text, err := d.file(page)
	if err != nil {
		return "", err
	}
	r := project.Receipt{Page: page, Sentence: strings.TrimSpace(in.Sentence), Product: in.Repository,
		Path: productPath(in.Path), Line: in.Line, Commit: d.Products.Commit(in.Repository), Quotation: in.Quotation}
	switch {
	case utf8.RuneCountInString(r.Sentence) > project.MaxSentence:
		return "", refuse("sentence may have at most %d characters.", project.MaxSentence)
	case !r.InPage(text):
		return "", refuse("The page does not have this sentence. Change the page first, then cite for what it says.")
	}
	data, found, err := d.Products.Read(ctx, r.Product, r.Path)
	if err != nil {
		return "", err
	}
	if !found {
		return "", refuse("There is no text file of that name in %s.", r.Product)
	}
	switch at := r.Find(data); at {
	case 0:
		return "", refuse("The file does not have this quotation. Quote it as read_product shows it, without changes.")
	case r.Line:
	default:
		return "", refuse("The quotation is at line %d, not at line %d.", at, r.Line)
	}
	if !slices.Contains(d.cited, r) {
		d.cited = append(d.cited, r)
	}
	return fmt.Sprintf("Checked: the quotation is there at commit %s.", r.Commit), nil
}

// Cited returns the agent's citations in this round.
func (d *Toolset) Cited() []project.Receipt { return d.cited }
