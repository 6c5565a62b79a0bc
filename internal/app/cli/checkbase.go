package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitediff"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// checkBase is the state of the docs folder to which a check compares the current one.
type checkBase struct {
	repo   *git.LocalRepo
	commit string
	tree   *git.LocalTree
	apart  bool // there is no known common commit, so the base may have changes of its own
}

// openBase finds the commit from which the change started: the newest common ancestor of HEAD and --base. In a
// comparison with --base itself, pages added to the base since then would appear to be removed.
func (c *checkCommand) openBase(ctx context.Context) (*checkBase, error) {
	repo, err := git.OpenLocal(ctx, "", c.Dir)
	if err != nil {
		return nil, err
	}
	b := &checkBase{repo: repo}
	if b.commit, err = repo.Resolve(ctx, c.Base); err != nil {
		return nil, err
	}
	if common, ok := repo.MergeBase(ctx, b.commit); ok {
		b.commit = common
	} else {
		b.apart = true
	}
	if b.tree, err = repo.Tree(ctx, b.commit); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *checkBase) close() {
	_ = b.tree.Close() // read only
}

// files returns the docs folder of the base, or nil if b is nil.
func (b *checkBase) files() fs.FS {
	if b == nil {
		return nil
	}
	return b.tree
}

// baseResult is the result of the comparison; nil without --base.
type baseResult struct {
	sitediff.Result
	ref, commit string
	apart       bool
	history     historyRead
	old         int                      // number of findings omitted because they also exist in the base
	both        map[diag.Diagnostic]bool // findings that also exist in the base
}

func (s *baseResult) known(d diag.Diagnostic) bool { return s.both[d] }

// compare builds the base. It reduces the result to findings introduced by the change, and links, which may be nil, to
// new external links.
func (c *checkCommand) compare(ctx context.Context, b *checkBase, result *checkResult, opt build.Options,
	links *externalLinks) error {
	opt.Progress = nil // the progress bar only counts pages of the current folder
	old := links.another()
	before, err := c.buildViews(ctx, b.tree, opt, old)
	if err != nil {
		return fmt.Errorf("build base: %w", err)
	}
	links.leaveOut(old)
	past, read, err := c.readHistory(ctx, b)
	if err != nil {
		return err
	}
	found, err := sitediff.Compare(ctx, before.state, result.state,
		sitediff.Options{Cause: (&blame{repo: b.repo, base: b.commit}).cause, Past: past})
	if err != nil {
		return err
	}
	fresh, both := sitediff.New(before.findings, result.findings, found.Moved)
	since := &baseResult{Result: found, ref: c.Base, commit: b.commit, apart: b.apart, history: read, both: map[diag.Diagnostic]bool{}}
	for _, d := range both {
		since.both[d] = true
	}
	if !c.All {
		since.old, both = len(both), nil
	}
	result.findings = append(append(fresh, both...), found.Findings...)
	result.findings.Sort()
	result.since = since
	return nil
}

// historyLimit is the maximum number of commits that are read of each kind: commits that removed a page, and commits
// that changed the site file.
const historyLimit = 1000

// historyRead reports how much of the history was read.
type historyRead struct {
	commits int
	cut     bool // the history is longer
}

// readHistory collects the addresses that were published before the base. Without --history there are none.
func (c *checkCommand) readHistory(ctx context.Context, b *checkBase) (*sitediff.Past, historyRead, error) {
	past := &sitediff.Past{}
	if !c.History {
		return past, historyRead{}, nil
	}
	h, err := b.repo.History(ctx, b.commit, historyLimit)
	if err != nil {
		return nil, historyRead{}, err
	}
	defer func() { _ = h.Close() }() // read only
	for _, change := range h.Changes {
		tree, published, err := h.Before(ctx, change)
		if err != nil {
			return nil, historyRead{}, err
		}
		if !published {
			continue
		}
		if err := past.Add(ctx, tree, removedBy(change.Commit)); err != nil {
			return nil, historyRead{}, err
		}
	}
	return past, historyRead{len(h.Changes), h.Cut}, nil
}

func removedBy(c git.Commit) string {
	return fmt.Sprintf("Removed by commit %s %q.", c.Short(), c.Subject)
}

// blame finds the commits that removed something.
type blame struct {
	repo     *git.LocalRepo
	base     string
	removals map[string]git.Commit // by file; loaded on first use
}

// cause implements sitediff.Cause. If the repository cannot be read, it returns no cause, since a finding is valid
// without one.
func (b *blame) cause(ctx context.Context, file, text string) string {
	var found git.Commit
	ok := false
	if file != "" {
		if b.removals == nil {
			if b.removals, _ = b.repo.Removals(ctx, b.base); b.removals == nil {
				b.removals = map[string]git.Commit{}
			}
		}
		found, ok = b.removals[file]
	} else {
		found, ok, _ = b.repo.Mentions(ctx, b.base, text, "*.json")
	}
	if !ok {
		return "The change is not committed."
	}
	return removedBy(found)
}

// changesShown is the number of changes of one kind that are listed.
const changesShown = 10

// print prints the changes that readers will see.
func (s *baseResult) print(w io.Writer, all bool) {
	if s == nil {
		return
	}
	fmt.Fprintf(w, "Compared with %s (commit %.10s):", harmless(s.ref), s.commit)
	if len(s.Added)+len(s.Removed)+len(s.Moved) == 0 {
		fmt.Fprintln(w, " no page was added, removed or moved")
	} else {
		fmt.Fprintf(w, " %d added, %d removed, %d moved\n", len(s.Added), len(s.Removed), len(s.Moved))
	}
	if s.apart {
		fmt.Fprintln(w, "  No common commit is known, so the base itself is compared: fetch more history to compare with the "+
			"commit where the change began.")
	}
	if n := s.history.commits; n > 0 || s.history.cut {
		fmt.Fprintf(w, "  History: read %s that removed pages or changed the site file", count(n, "commit"))
		if s.history.cut {
			fmt.Fprintf(w, "; older ones were not read (limit %d, or a shallow clone)", historyLimit)
		}
		fmt.Fprintln(w)
	}
	if s.Unranked > 0 {
		fmt.Fprintf(w, "  Search: the ranks of %s were not compared\n", count(s.Unranked, "page"))
	}
	for _, kind := range s.changes() {
		for i, line := range kind.lines {
			if i == changesShown && !all {
				fmt.Fprintf(w, "  … and %d more %s (--all lists them)\n", len(kind.lines)-i, kind.name)
				break
			}
			fmt.Fprintf(w, "  %-8s %s\n", kind.name, harmless(line))
		}
	}
}

type changes struct {
	name  string
	lines []string
}

// changes returns the changes of pages by kind.
func (s *baseResult) changes() []changes {
	added, removed, moved := changes{name: "added"}, changes{name: "removed"}, changes{name: "moved"}
	for _, p := range s.Added {
		added.lines = append(added.lines, p.Address)
	}
	for _, p := range s.Removed {
		removed.lines = append(removed.lines, p.Address)
	}
	for _, m := range s.Moved {
		moved.lines = append(moved.lines, m.From.Address+" → "+m.To.Address)
	}
	return []changes{added, removed, moved}
}

// changeJSON is a page's change in the output of --json.
type changeJSON struct {
	Change  string `json:"change"` // "added", "removed" or "moved"
	Address string `json:"address"`
	To      string `json:"to,omitempty"` // new address of a moved page
	File    string `json:"file"`         // "" = generated from an API description
}

// printJSON writes one object for each page that was added, removed or moved.
func (s *baseResult) printJSON(w io.Writer) error {
	if s == nil {
		return nil
	}
	var list []changeJSON
	for _, p := range s.Added {
		list = append(list, changeJSON{Change: "added", Address: p.Address, File: p.File})
	}
	for _, p := range s.Removed {
		list = append(list, changeJSON{Change: "removed", Address: p.Address, File: p.File})
	}
	for _, m := range s.Moved {
		list = append(list, changeJSON{Change: "moved", Address: m.From.Address, To: m.To.Address, File: m.To.File})
	}
	for _, one := range list {
		if err := printJSON(w, one); err != nil {
			return err
		}
	}
	return nil
}
