package agenttools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

const (
	maxHits    = 20
	hitText    = 300     // characters of a hit
	maxLine    = 240     // characters of a line
	maxScanned = 4 << 20 // bytes of a file that are searched
)

func searchTool() tool {
	return tool{Tool: Tool{Name: "search",
		Description: "Searches pages like readers of the site do (in their state before the changes); " +
			"with exact, finds lines that contain the exact text (in the current files).",
		Input: schema([]string{"query"}, map[string]property{"query": {"string", "Words, or the exact text."},
			"exact": {"boolean", "Find the exact text in every file."}})}, run: (*Toolset).search}
}

func (d *Toolset) search(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Query string `json:"query" required:"true"`
		Exact bool   `json:"exact"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	if strings.TrimSpace(in.Query) == "" {
		return "", refuse("query is empty.")
	}
	if in.Exact || d.Keep == nil {
		return d.grep(ctx, in.Query)
	}
	if d.library == nil {
		if err := d.openLibrary(ctx); err != nil {
			return "", err
		}
	}
	hits, err := d.library.Search(ctx,
		sitereader.Query{Text: in.Query[:min(len(in.Query), sitereader.MaxText)], Limit: maxHits})
	if err != nil {
		return "", err
	}
	if len(hits) == 0 {
		return "No results. Try other words, or exact.", nil
	}
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "%s#%s %s – %s\n    %s\n", h.Path, h.Anchor, h.Title, h.Heading,
			clip.Runes(strings.Join(strings.Fields(h.Text), " "), hitText))
	}
	return guard.Untrusted("search results", guard.Clean(b.String())), nil
}

// openLibrary builds the site of the original folder, with a search index.
func (d *Toolset) openLibrary(ctx context.Context) error {
	sink, built, err := d.Keep()
	if err != nil {
		return err
	}
	report, err := d.Build(ctx, d.Base, true, sink)
	if err != nil {
		return fmt.Errorf("build the site to search it: %w", err)
	}
	d.library = &builtSite{sitereader.New(report.Name, onDisk{built})}
	return nil
}

// builtSite is the site built from the original folder.
type builtSite struct{ *sitereader.Library }

// onDisk provides the built site's files.
type onDisk struct{ fs.FS }

func (f onDisk) Has(name string) bool {
	info, err := fs.Stat(f.FS, name)
	return err == nil && info.Mode().IsRegular()
}

func (f onDisk) Read(_ context.Context, name string) ([]byte, error) { return fs.ReadFile(f.FS, name) }

// grep finds lines of the draft that contain the given text.
func (d *Toolset) grep(ctx context.Context, text string) (string, error) {
	var b strings.Builder
	found := 0
	err := fs.WalkDir(d.Tree, ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case e.IsDir() && p != "." && hidden(e.Name()):
			return fs.SkipDir
		case e.IsDir() || hidden(e.Name()) || !e.Type().IsRegular():
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > maxScanned {
			return err
		}
		data, err := d.Tree.ReadFile(p)
		if err != nil || !bytes.Contains(data, []byte(text)) || !utf8.Valid(data) {
			return err
		}
		for i, line := range strings.Split(guard.Clean(string(data)), "\n") {
			if !strings.Contains(line, text) {
				continue
			}
			if found++; found <= 5*maxHits {
				fmt.Fprintf(&b, "%s:%d: %s\n", p, i+1, clip.Runes(strings.TrimSpace(line), maxLine))
			}
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("search files: %w", err)
	}
	if found == 0 {
		return "No file contains this text.", nil
	}
	if found > 5*maxHits {
		fmt.Fprintf(&b, "… and %d more lines\n", found-5*maxHits)
	}
	return guard.Untrusted("matching lines", guard.Visible(b.String())), nil
}
