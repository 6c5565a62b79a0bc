package maintain

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// maxSource limits the size of a file that is read and changed, in bytes.
const maxSource = 8 << 20

// Run runs a task on a draft. Errors are faults if the task is invalid, and otherwise errors of the context or the
// folder. On an error the draft may have been changed partially.
func Run(ctx context.Context, tree *draft.Tree, t Task) (Report, error) {
	if err := t.check(); err != nil {
		return Report{}, err
	}
	j := &job{ctx: ctx, tree: tree, task: t}
	if err := j.begin(); err != nil {
		return Report{}, err
	}
	chores := map[Kind]func() error{
		MovePages: j.movePages, FixLinks: j.fixLinks, Redirects: j.addRedirects, Descriptions: j.addDescriptions, AltText: j.addAltText,
		Format: j.format, Version: j.bumpVersion, Term: j.renameTerm, Navigation: j.addToNavigation,
		DeletePages: j.deletePages, Unlist: j.removeFromNavigation, NoRedirects: j.removeRedirects, RenameGroup: j.renameGroup, Changelog: j.addChangelogEntry,
	}
	if t.Text != "" {
		chores[Descriptions], chores[AltText] = j.describeAs, j.nameImage
	}
	if t.After+t.Before != "" {
		chores[Navigation] = j.placeInNavigation
	}
	if err := chores[t.Kind](); err != nil {
		return Report{}, fmt.Errorf("run task %s: %w", t.Kind, err)
	}
	return j.finish()
}

// job is one run of a task.
type job struct {
	ctx    context.Context
	tree   *draft.Tree
	task   Task
	report Report
	before map[string][]byte // original content of files that this run wrote; nil = new file
	sizes  map[string]int64  // size of each file that differs from the folder
	size   int64             // sum of sizes
	full   bool              // a limit was reached
}

func (j *job) begin() error {
	if j.task.Build == nil {
		j.task.Build = plainBuild
	}
	if j.task.MaxFiles <= 0 {
		j.task.MaxFiles = 200
	}
	if j.task.MaxBytes <= 0 {
		j.task.MaxBytes = 8 << 20
	}
	j.before, j.sizes = map[string][]byte{}, map[string]int64{}
	list, err := j.tree.Changes()
	if err != nil {
		return fmt.Errorf("read draft: %w", err)
	}
	for _, c := range list {
		j.sizes[c.Path] = int64(len(c.After))
		j.size += int64(len(c.After))
	}
	return nil
}

// finish reports which files differ from their state at the start of the task.
func (j *job) finish() (Report, error) {
	for name, was := range j.before {
		now, err := j.tree.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a file that was moved no longer exists
			return Report{}, fmt.Errorf("read draft: %w", err)
		}
		if !bytes.Equal(was, now) {
			j.report.Changed = append(j.report.Changed, name)
		}
	}
	j.report.sort()
	return j.report, nil
}

func (j *job) done(file string, line int, format string, args ...any) {
	j.keep(&j.report.Done, Item{File: file, Line: line, What: oneLine(fmt.Sprintf(format, args...))})
}

func (j *job) left(file string, line int, what, why string) {
	j.keep(&j.report.Left, Item{File: file, Line: line, What: oneLine(what), Why: oneLine(why)})
}

func (j *job) keep(list *[]Item, i Item) {
	if len(*list) >= maxKept {
		j.report.More++
		return
	}
	*list = append(*list, i)
}

// read returns a whole file. If it cannot be read completely, ok is false and an item is added to the report: a
// truncated file must not be written back.
func (j *job) read(name string) (src []byte, ok bool) {
	src, err := safefile.Read(j.tree, name, maxSource)
	switch {
	case err != nil:
		j.left(name, 0, "", "it cannot be read")
	case len(src) > maxSource:
		j.left(name, 0, "", fmt.Sprintf("it is larger than %d MB", maxSource>>20))
	default:
		return src, true
	}
	return nil, false
}

// write changes a file's content, unless that exceeds the task's limits, and reports whether it did.
func (j *job) write(name string, was, now []byte) (bool, error) {
	old, differs := j.sizes[name]
	if !differs && len(j.sizes) >= j.task.MaxFiles || j.size-old+int64(len(now)) > j.task.MaxBytes {
		if !j.full {
			j.left(name, 0, "",
				"the limit of changed files is reached; run the task again after these changes are merged")
		}
		j.full = true
		return false, nil
	}
	if err := j.tree.Write(name, now); err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	j.size += int64(len(now)) - old
	j.sizes[name] = int64(len(now))
	if _, ok := j.before[name]; !ok {
		j.before[name] = was
	}
	return true, nil
}

// sources lists the pages and snippets in the task's scope.
func (j *job) sources() ([]string, error) {
	all, err := load.Sources(j.ctx, j.tree)
	if err != nil {
		return nil, err
	}
	return j.chosen(all)
}

// chosen returns the names within the task's files. An entry that matches nothing is a fault: a misspelt name must
// not count as success.
func (j *job) chosen(all []string) ([]string, error) {
	if len(j.task.Files) == 0 {
		return all, nil
	}
	keep := map[string]bool{}
	for _, written := range j.task.Files {
		name := strings.Trim(path.Clean("/"+written), "/")
		found := false
		for _, f := range all {
			if name == "" || f == name || strings.HasPrefix(f, name+"/") ||
				load.PageOf(f) != "" && load.PageOf(f) == name {
				keep[f], found = true, true
			}
		}
		if found {
			continue
		}
		v, err := j.load()
		if err != nil {
			return nil, err
		}
		page, why := v.find(written)
		if page == nil || !slices.Contains(all, page.File) {
			return nil, invalid("files", "No page, file or folder %.100q for this task was found: %s.", written,
				cmp.Or(why, "it is not part of this task")).
				WithHint("Write its path relative to the docs folder, such as guides/start.mdx.")
		}
		keep[page.File] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(f string) bool { return !keep[f] }), nil
}

// each calls f for each of the task's sources until a limit is reached.
func (j *job) each(f func(name string, src []byte) error) error {
	names, err := j.sources()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := j.ctx.Err(); err != nil {
			return err
		}
		src, ok := j.read(name)
		if !ok || j.full {
			continue
		}
		if err := f(name, src); err != nil {
			return err
		}
	}
	return nil
}
