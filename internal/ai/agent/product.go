package agent

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// Product is a product repository that an agent may read.
type Product struct {
	Name   string
	Remote git.Remote
}

// pinned is the code of the note that records the commit at which a round reads a product repository.
const pinned = "product"

var pin = lazyregexp.New(`^Reads (\S+) at commit ([0-9a-f]+)\.$`)

// pinProducts determines the commits at which this round reads product repositories: those in the round's record or,
// when a round starts, the newest ones. It records all of them in one step, so that after a crash the next attempt
// starts over. It skips unreachable repositories with a note in the record, because much of the work does not need
// them.
func (w *work) pinProducts(ctx context.Context) (*products, error) {
	out := &products{git: w.Git, at: map[string]productAt{}}
	if w.Products == nil {
		return out, nil
	}
	list, err := w.Products(ctx, w.project)
	if err != nil || len(list) == 0 {
		return out, err
	}
	entries, err := w.record.List(ctx, 0)
	if err != nil {
		return nil, err
	}
	known, settled := map[string]string{}, false
	for _, e := range entries {
		if e.Round != w.job.Round || e.Kind != agentjob.Note || e.Code != pinned {
			continue
		}
		settled = true
		if m := pin.FindStringSubmatch(e.Text); m != nil {
			known[m[1]] = m[2]
		}
	}
	var notes []agentjob.Entry
	for _, p := range list {
		commit := known[p.Name]
		if !settled {
			note := agentjob.Entry{Kind: agentjob.Note, Code: pinned}
			if commit, err = w.Git.Head(ctx, p.Remote); err != nil {
				f, ok := fault.As(err)
				if !ok {
					return nil, err
				}
				note.Text = fmt.Sprintf("The product repository %s could not be read: %s", p.Name, f.Sentence())
			} else {
				note.Text = fmt.Sprintf("Reads %s at commit %s.", p.Name, commit)
			}
			notes = append(notes, note)
			w.reached("product asked")
		}
		if commit != "" {
			out.at[p.Name] = productAt{p.Remote, commit}
		}
	}
	if len(notes) == 0 {
		return out, nil
	}
	return out, w.record.Add(ctx, notes...)
}

// products reads product repositories at the commits of a round.
type products struct {
	git *git.Cache
	at  map[string]productAt
}

type productAt struct {
	remote git.Remote
	commit string
}

// Names and the following methods implement agenttools.Products.
func (p *products) Names() []string { return slices.Sorted(maps.Keys(p.at)) }

// Commit returns the commit at which a repository is read.
func (p *products) Commit(name string) string { return p.at[name].commit }

// Search finds lines that contain the given text.
func (p *products) Search(ctx context.Context, name, text, folder string) ([]git.Match, bool, error) {
	at := p.at[name]
	return p.git.Grep(ctx, at.remote, at.commit, text, folder)
}

// List lists a folder.
func (p *products) List(ctx context.Context, name, folder string) ([]string, bool, error) {
	at := p.at[name]
	return p.git.List(ctx, at.remote, at.commit, folder)
}

// Read returns a regular file.
func (p *products) Read(ctx context.Context, name, path string) (data []byte, found bool, err error) {
	at := p.at[name]
	files, _, err := p.git.Files(ctx, at.remote, at.commit, []string{path})
	data, found = files[path]
	return data, found, err
}
