package automate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	maxTags     = 5000     // tags of a watched repository
	tagsShown   = 10       // new tags described in one run
	maxTagNotes = 16 << 10 // bytes of a tag message
)

// lookAtTags runs the automations that wait for releases. A repository's tags are tracked only while such an
// automation exists; tags created earlier are not news.
func (w *Watcher) lookAtTags(ctx context.Context, p project.Product, remote git.Remote,
	waiting []automation.Automation) error {
	known, asked, err := w.Store.FindProductTags(ctx, p.ID)
	if err != nil {
		return err
	}
	note := func(now []string) func(*store.Tx) (bool, error) {
		return func(tx *store.Tx) (bool, error) { return tx.SeeTags(ctx, p.ID, known, asked, now) }
	}
	if len(waiting) == 0 {
		if !asked {
			return nil
		}
		return w.Store.Tx(ctx, func(tx *store.Tx) error { return tx.ForgetTags(ctx, p.ID) })
	}
	now, err := w.tags(ctx, remote)
	if err != nil {
		return err
	}
	if len(now) > maxTags {
		w.Logger.WarnContext(ctx, "product repository has too many tags to watch", "repository", p.ID, "tags", len(now))
		return nil
	}
	if asked && slices.Equal(now, known) {
		return nil
	}
	fresh := slices.DeleteFunc(slices.Clone(now), func(tag string) bool {
		_, found := slices.BinarySearch(known, tag)
		return found
	})
	if !asked || len(fresh) == 0 {
		return w.run(ctx, p, note(now), nil)
	}
	given, err := w.notes(ctx, p, remote, fresh)
	if err != nil {
		return err
	}
	ask := Request{Cause: automation.ByRelease, Given: given, Why: fmt.Sprintf("Release of the product repository %s: %s.",
		p.Name, strings.Join(fresh[:min(len(fresh), tagsShown)], ", "))}
	return w.run(ctx, p, note(now), startsOf(waiting, ask))
}

// tags returns the sorted names of the remote's tags.
func (w *Watcher) tags(ctx context.Context, remote git.Remote) (out []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, askLife)
	defer cancel()
	refs, err := w.Git.Refs(ctx, remote)
	for _, r := range refs {
		if name, ok := strings.CutPrefix(r.Name, "refs/tags/"); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, err
}

// notes returns the messages of tags.
func (w *Watcher) notes(ctx context.Context, p project.Product, remote git.Remote, tags []string) (string, error) {
	var b strings.Builder
	for i, tag := range tags {
		if i == tagsShown || b.Len() > maxPatch {
			fmt.Fprintf(&b, "… and %d more tags\n", len(tags)-i)
			break
		}
		text, more, err := w.Git.TagMessage(ctx, remote, tag, maxTagNotes)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "Tag %s of the product repository %s:\n\n%s\n", tag, p.Name, strings.TrimSpace(text))
		if more {
			b.WriteString("… the rest is left out\n")
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
