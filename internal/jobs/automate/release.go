package automate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	maxTags     = 5000     // tags of a watched repository
	tagsShown   = 10       // new tags described in one run
	maxTagNotes = 16 << 10 // bytes of a tag message, and of release notes
)

// lookAtTags runs the automations triggered by releases. A repository's tags are tracked only while such an automation
// exists. Tags created before that do not trigger it.
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
	host := w.openReleases(ctx, p)
	given, err := w.notes(ctx, p, remote, fresh, host)
	if err != nil {
		return err
	}
	ask := Request{Cause: automation.ByRelease, Given: given, Why: fmt.Sprintf("Release of the product repository %s: %s.%s",
		p.Name, strings.Join(fresh[:min(len(fresh), tagsShown)], ", "), host.explain())}
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

// notes returns the messages of tags and their release notes.
func (w *Watcher) notes(ctx context.Context, p project.Product, remote git.Remote, tags []string,
	host *releaseNotes) (string, error) {
	var b strings.Builder
	asking, cancel := context.WithTimeout(ctx, notesLife)
	defer cancel()
	for i, tag := range tags {
		if i == tagsShown || b.Len() > maxPatch {
			fmt.Fprintf(&b, "… and %d more tags\n", len(tags)-i)
			break
		}
		text, more, err := w.Git.TagMessage(ctx, remote, tag, maxTagNotes)
		if err != nil {
			return "", err
		}
		writeNotes(&b, fmt.Sprintf("Tag %s of the product repository %s", tag, p.Name), text, more)
		release := host.find(asking, tag)
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if notes := strings.TrimSpace(release.Notes); notes != "" {
			short := clip.Bytes(notes, maxTagNotes)
			writeNotes(&b, fmt.Sprintf("Notes of the release %s on the code host, titled %q", tag,
				clip.Runes(release.Title, maxTitle)), short, len(short) < len(notes))
		}
	}
	return b.String(), nil
}

func writeNotes(b *strings.Builder, heading, text string, more bool) {
	fmt.Fprintf(b, "%s:\n\n%s\n", heading, strings.TrimSpace(text))
	if more {
		b.WriteString("… the rest is left out\n")
	}
	b.WriteByte('\n')
}
