package maintain

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/rename"
)

const noTarget = "name the page that links and the old address should lead to"

// deletePages deletes pages and their navigation entries. If the task gives a target, links and the old address
// then lead to it; without a target, a page with incoming links is not deleted.
func (j *job) deletePages() error {
	for _, m := range j.task.Moves {
		if err := j.together("delete", m.From, func(part *job) error { return part.deletePage(m) }); err != nil {
			return err
		}
	}
	return nil
}

// together runs a part of a task on a copy of the draft and applies either all of it or nothing: nothing if the
// part leaves something to decide or exceeds the task's limits.
func (j *job) together(what, file string, run func(part *job) error) error {
	part := &job{ctx: j.ctx, tree: j.tree.Fork(), task: j.task}
	part.task.MaxFiles, part.task.MaxBytes = 1<<30, 1<<40 // the limits apply to the whole task
	if err := part.begin(); err != nil {
		return err
	}
	if err := run(part); err != nil {
		return err
	}
	if len(part.report.Left) > 0 {
		j.report.Left = append(j.report.Left, part.report.Left...)
		return nil
	}
	changes, err := part.tree.Since(j.tree)
	if err != nil {
		return fmt.Errorf("compare drafts: %w", err)
	}
	if len(changes) == 0 {
		return nil
	}
	if ok, err := j.applyTogether(changes); err != nil {
		return err
	} else if !ok {
		j.left(file, 0, what, "it would change more files than a task may change")
		return nil
	}
	j.report.Done = append(j.report.Done, part.report.Done...)
	return nil
}

func (j *job) deletePage(m Move) error {
	v, err := j.load()
	if err != nil {
		return err
	}
	page, why := v.find(m.From)
	if page == nil {
		if gone, ok := slug.Clean(m.From); ok && m.To != "" {
			if target, _ := v.find(m.To); target != nil && v.leads("index", escaped("/"+gone), place{target.Path, true}) {
				return nil // it was already deleted
			}
		}
		j.left(m.From, 0, "delete", why)
		return nil
	}
	target, ok := j.targetOf(v, page, m.To)
	if !ok {
		return nil
	}
	if err := j.repoint(v, page, target); err != nil {
		return err
	}
	if err := j.unlist(v, page.Path); err != nil {
		return err
	}
	if len(j.report.Left) > 0 {
		return nil
	}
	if err := j.tree.Apply([]draft.Change{{Path: page.File}}); err != nil {
		return fmt.Errorf("delete %s: %w", page.File, err)
	}
	if target == nil {
		j.done(page.File, 0, "deleted; its address has no redirect")
		return nil
	}
	plan, err := rename.Repair(j.ctx, j.tree, []rename.Move{{From: page.Path, To: target.Path}})
	if err != nil {
		return err
	}
	for _, e := range plan.Edits {
		if err := j.tree.Write(e.File, e.After); err != nil {
			return fmt.Errorf("write %s: %w", e.File, err)
		}
	}
	j.done(page.File, 0, "deleted; /%s redirects to /%s", page.Path, trimHome(target.Path))
	return nil
}

// targetOf returns the page that replaces a deleted one, or nil if the task gives none. If the page cannot be deleted,
// ok is false and an item is added to the report.
func (j *job) targetOf(v *view, page *site.Page, written string) (target *site.Page, ok bool) {
	if page.Path == home(v.site) {
		j.left(page.File, 0, "delete", "the home page always exists")
		return nil, false
	}
	if written == "" {
		return nil, true
	}
	target, why := v.find(written)
	if strings.Trim(written, "/") == "" {
		target = v.site.Find(home(v.site))
	}
	switch {
	case target == nil:
		j.left(page.File, 0, "redirect to "+written, why)
	case target.Path == page.Path:
		j.left(page.File, 0, "redirect to "+written, "that is the page that would be deleted")
		return nil, false
	}
	return target, target != nil
}

func trimHome(page string) string {
	if page == "index" {
		return ""
	}
	return trimIndex(page)
}
