package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/pagediff"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// Limits of the pages that show changes.
const (
	maxShown      = 100      // pages
	maxShownBytes = 4 << 20  // of one page's document
	maxShownTotal = 64 << 20 // total size of the documents of one state; pages beyond it are not shown
	changesSheet  = "_lectern/changes.css"
)

// showChanges adds pages to a preview that show both states of the changed pages. They are files of the preview: on its
// origin, for its readers, and removed with it. They contain only what readers without groups see, so that all readers
// may see them.
func (r *run) showChanges(ctx context.Context, p project.Project, before, after *snapshot.Source, opt build.Options, m *deploy.Manifest) error {
	olds, news := []string{}, []string{}
	for _, one := range r.d.Changed {
		if len(news) == maxShown {
			break
		}
		switch one.How {
		case deploy.PageChanged:
			olds, news = append(olds, one.Path), append(news, one.Path)
		case deploy.PageMoved:
			olds, news = append(olds, one.From), append(news, one.Path)
		}
	}
	if len(news) == 0 {
		return nil
	}
	was, err := r.documents(ctx, before, opt, olds)
	if err != nil {
		return err
	}
	is, err := r.documents(ctx, after, opt, news)
	if err != nil {
		return err
	}
	packs := newPacker(ctx, r.Blob, p.ID, fmt.Sprintf("%s-%d-changes", r.d.ID, r.h.Fence))
	files := startFiles(ctx, packs, known{})
	defer func() { files.abandon(); r.made = append(r.made, packs.own()...) }()
	shown, err := putChanges(ctx, files, olds, news, was, is)
	paths, keys, err := files.wait(err)
	if err != nil {
		return err
	}
	r.changes = deploy.Manifest{Files: paths, Packs: keys}
	r.addChanges(m)
	for i, one := range r.d.Changed {
		r.d.Changed[i].Diff = shown[one.Path]
	}
	return nil
}

// addChanges adds the change pages to a manifest of the preview.
func (r *run) addChanges(m *deploy.Manifest) {
	for name, f := range r.changes.Files {
		f.Pack += len(m.Packs)
		m.Files[name] = f
	}
	m.Packs = append(m.Packs, r.changes.Packs...)
}

// putChanges stores a page with marked changes for each page that both builds have, and returns the set of those
// pages.
func putChanges(ctx context.Context, out output.Sink, olds, news []string, was, is map[string][]byte) (map[string]bool, error) {
	shown := map[string]bool{}
	err := out.Put(ctx, output.File{Path: changesSheet, ContentType: "text/css; charset=utf-8", Data: []byte(pagediff.Sheet)})
	for i, page := range news {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		marked, ok := pagediff.Mark(was[olds[i]], is[page], "/"+changesSheet)
		if !ok {
			continue
		}
		shown[page] = true
		err = errors.Join(err, out.Put(ctx, output.File{Path: deploy.ChangesPath(page) + ".html",
			ContentType: "text/html; charset=utf-8", Data: marked}))
	}
	return shown, err
}

// documents builds some pages and returns their HTML by path.
func (r *run) documents(ctx context.Context, src *snapshot.Source, opt build.Options, pages []string) (map[string][]byte, error) {
	out := &pageSink{pages: map[string][]byte{}, room: maxShownTotal}
	opt.Paths, opt.Cards, opt.ErrorPages = pages, false, false
	_, err := buildSource(ctx, src, opt, out)
	return out.pages, err
}

// pageSink keeps documents up to a size limit, keyed by page path. Builds write files one at a time.
type pageSink struct {
	pages map[string][]byte
	room  int64 // bytes that may still be kept
}

// Put implements output.Sink.
func (s *pageSink) Put(_ context.Context, f output.File) error {
	page, html := strings.CutSuffix(f.Path, ".html")
	size := int64(f.Size())
	if !html || size > maxShownBytes || size > s.room {
		return nil
	}
	s.room -= size
	data, err := f.Bytes()
	s.pages[page] = append([]byte{}, data...)
	return err
}
