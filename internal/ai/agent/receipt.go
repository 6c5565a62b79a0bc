package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/codespan"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// receiptsOf returns the receipts of pages that were changed and still exist. It drops the quoted sentence of a
// receipt if the agent changed that sentence later.
func receiptsOf(cited []project.Receipt, changes []draft.Change) (out []project.Receipt) {
	for _, r := range cited {
		i := slices.IndexFunc(changes, func(c draft.Change) bool { return c.Path == r.Page && c.After != nil })
		if i < 0 {
			continue
		}
		if !r.InPage(changes[i].After) {
			r.Sentence = ""
		}
		out = append(out, r)
	}
	return out
}

// keepReceipts stores the receipts of a round that was proposed. Earlier receipts of a page are removed if the page is
// deleted or this round cites new sources for it; a round that only corrects a word need not cite sources.
func (w *work) keepReceipts(ctx context.Context, o outcome) error {
	if len(o.changes) == 0 || w.Products == nil {
		return nil
	}
	ended := o.replaced()
	// The pages of earlier rounds were discarded with their commits, except those in a merged pull request.
	if redoes(w.conversation.entries, w.job.Round) && !w.conversation.changedBranch() {
		list, err := w.Store.ListJobReceipts(ctx, w.job.ID)
		if err != nil {
			return err
		}
		for _, r := range list {
			ended = append(ended, r.Page)
		}
	}
	return w.Store.KeepReceipts(ctx, w.job.OrganizationID, w.job.ProjectID, w.job.ID, ended, o.receipts)
}

// replaced returns the pages whose earlier receipts this round removes.
func (o outcome) replaced() (pages []string) {
	for _, c := range o.changes {
		if c.After == nil || slices.ContainsFunc(o.receipts, func(r project.Receipt) bool { return r.Page == c.Path }) {
			pages = append(pages, c.Path)
		}
	}
	return pages
}

// allReceipts returns the receipts of the whole proposal: the ones that remain from earlier rounds and this round's
// own.
func (w *work) allReceipts(ctx context.Context, o outcome) ([]project.Receipt, error) {
	if w.Products == nil || w.conversation.firstRound() == w.job.Round {
		return o.receipts, nil
	}
	list, err := w.Store.ListJobReceipts(ctx, w.job.ID)
	ended := o.replaced()
	list = slices.DeleteFunc(list, func(r project.Receipt) bool { return slices.Contains(ended, r.Page) })
	return append(list, o.receipts...), err
}

const quoted = 120 // characters of a quotation in a pull request's text

// writeReceipts lists the sources of the changed pages, for reviewers. Quotations come from untrusted source code,
// so they are formatted as code.
func writeReceipts(b *strings.Builder, list []project.Receipt) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n### Sources\n\nThe server checked that the code has these lines:\n\n")
	for i, r := range list {
		if i == maxNamed {
			fmt.Fprintf(b, "- and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(b, "- %s: %s, line %d, at commit %.12s of %s: %s\n", codespan.Of(r.Page), codespan.Of(r.Path), r.Line,
			r.Commit, codespan.Of(r.Product), codespan.Of(clip.Runes(strings.Join(strings.Fields(r.Quotation), " "), quoted)))
		if r.Sentence != "" {
			fmt.Fprintf(b, "  for the sentence %s\n", codespan.Of(clip.Runes(strings.Join(strings.Fields(r.Sentence), " "), quoted)))
		}
	}
}
