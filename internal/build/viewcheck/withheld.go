package viewcheck

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// withheld holds everything that must not be in the bundle.
type withheld struct {
	pages   map[string]bool // paths
	files   map[string]bool // paths
	sums    map[[sha256.Size]byte]string
	phrases *phrases
}

// maxText limits a source that is read, in bytes.
const maxText = 32 << 20

// findWithheld compares what readers in all groups may see with what readers of the view may see.
func findWithheld(ctx context.Context, docs fs.FS, view reader.View) (*withheld, error) {
	mine, _, err := load.Load(ctx, docs, load.Options{Workers: 4, View: view})
	if err != nil {
		return nil, err
	}
	all, _, err := load.Load(ctx, docs, load.Options{Workers: 4, View: reader.New(mine.Groups...)})
	if err != nil {
		return nil, err
	}
	w := &withheld{pages: map[string]bool{}, files: map[string]bool{}, sums: map[[sha256.Size]byte]string{}, phrases: newPhrases()}
	for _, p := range all.Site.Pages {
		if mine.Site.Find(p.Path) != nil {
			continue
		}
		w.pages[p.Path] = true
		w.phrases.addTitle(p.Title)
		w.phrases.addTitle(p.SidebarTitle)
		w.phrases.addTitle(p.Description)
		if p.File != "" {
			text, err := safefile.Read(docs, p.File, maxText)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", p.File, err)
			}
			w.phrases.addWords(string(text))
		}
	}
	for _, page := range all.Withheld { // pages that no one may see, because their groups cannot be read
		w.pages[page] = true
		for _, ext := range []string{".mdx", ".md"} {
			if text, err := safefile.Read(docs, page+ext, maxText); err == nil {
				w.phrases.addWords(string(text))
			}
		}
	}
	site.Walk(all.Site.Nav, func(n *site.Node) bool {
		w.phrases.addTitle(n.Title)
		return true
	})
	if err := w.addFiles(docs, mine, all); err != nil {
		return nil, err
	}
	return w, w.dropVisible(ctx, docs, mine)
}

// addFiles adds the withheld files. It also adds their contents, unless a file of the view has the same content.
func (w *withheld) addFiles(docs fs.FS, mine, all *load.Loaded) error {
	sum := func(a site.Asset) ([sha256.Size]byte, error) {
		data, err := safefile.Read(docs, a.Path, max(a.Size, maxText))
		if err != nil {
			return [sha256.Size]byte{}, fmt.Errorf("read %s: %w", a.Path, err)
		}
		return sha256.Sum256(data), nil
	}
	for _, a := range all.Site.Assets {
		if mine.Site.FindAsset(a.Path) != nil {
			continue
		}
		s, err := sum(a)
		if err != nil {
			return err
		}
		w.files[a.Path], w.sums[s] = true, a.Path
	}
	if len(w.files) == 0 {
		return nil
	}
	for _, a := range mine.Site.Assets {
		s, err := sum(a)
		if err != nil {
			return err
		}
		delete(w.sums, s)
	}
	return nil
}

// dropVisible removes phrases that the bundle may contain. These are the phrases in pages, settings and navigation of
// the view, in parts that pages include, and in the program's own files.
func (w *withheld) dropVisible(ctx context.Context, docs fs.FS, mine *load.Loaded) error {
	s := mine.Site
	settings, err := json.Marshal(s.Settings)
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}
	w.phrases.drop(settings)
	site.Walk(s.Nav, func(n *site.Node) bool {
		more := n.Details()
		w.phrases.drop([]byte(strings.Join([]string{n.Title, n.Page, n.Href, more.Tag, more.Text}, "\n")))
		return true
	})
	for _, p := range s.Pages {
		w.phrases.drop([]byte(p.Path + "\n" + p.Title + "\n" + p.Description))
		if err := w.dropFile(docs, p.File); err != nil {
			return err
		}
	}
	for _, a := range s.Assets {
		w.phrases.drop([]byte(a.Path))
	}
	if err := w.dropParts(docs); err != nil {
		return err
	}
	return w.dropProgram(ctx)
}

func (w *withheld) dropFile(docs fs.FS, name string) error {
	if name == "" {
		return nil
	}
	text, err := safefile.Read(docs, name, maxText)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	w.phrases.drop(text)
	return nil
}

// dropParts removes the phrases in snippets, code, style sheets and API descriptions, because pages of the view may
// show them.
func (w *withheld) dropParts(docs fs.FS) error {
	return fs.WalkDir(docs, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || name == "docs.json" || name == "mint.json" {
			return nil
		}
		switch ext := strings.ToLower(path.Ext(name)); {
		case ext == ".jsx" || ext == ".tsx" || ext == ".js" || ext == ".ts" || ext == ".css" || ext == ".json" || ext == ".yaml" || ext == ".yml":
		case (ext == ".mdx" || ext == ".md") && strings.Contains("/"+name, "snippets/"):
		default:
			return nil
		}
		return w.dropFile(docs, name)
	})
}

//go:embed program
var program embed.FS

// dropProgram removes the words in the program's own files. It builds a small site to get these files.
func (w *withheld) dropProgram(ctx context.Context) error {
	small, err := fs.Sub(program, "program")
	if err != nil {
		return fmt.Errorf("open small site: %w", err)
	}
	opt := build.Options{
		Links: link.Relative, Manifest: true, BaseURL: "https://docs.example.com",
		Offers: capability.Offers{Search: true, Playground: capability.Playground{On: true, Proxy: capability.MayHaveProxy}},
	}
	_, err = build.Build(ctx, small, opt, ownWords{w.phrases})
	return err
}

// ownWords is a sink that removes the words in the files written to it.
type ownWords struct{ phrases *phrases }

// Put implements output.Sink.
func (o ownWords) Put(_ context.Context, f output.File) error {
	data, err := f.Bytes()
	if err == nil {
		o.phrases.drop(data)
		o.phrases.drop([]byte(f.Path))
	}
	return err
}
