package agenttools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// Products reads product repositories, each at a commit that is fixed for the round.
type Products interface {
	Names() []string // sorted
	Search(ctx context.Context, name, text, folder string) (found []git.Match, more bool, err error)
	List(ctx context.Context, name, folder string) (names []string, more bool, err error)
	Read(ctx context.Context, name, path string) (data []byte, found bool, err error)
	Commit(name string) string
}

const (
	maxProductHits = 60
	maxProductList = 1000
)

func searchProductTool() tool {
	return tool{Tool: Tool{Name: "search_product",
		Description: "Finds lines that contain a text, in whatever case, in the product's own code, which you cannot change.",
		Input: schema([]string{"repository", "query"}, map[string]property{
			"repository": {"string", "Name of a product repository."}, "query": {"string", "The text, one line."},
			"folder": {"string", "Only in this folder or file; omit for all."}})}, run: (*Toolset).searchProduct}
}

func (d *Toolset) searchProduct(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Repository string `json:"repository" required:"true"`
		Query      string `json:"query" required:"true"`
		Folder     string `json:"folder"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	if err := d.knownProduct(in.Repository); err != nil {
		return "", err
	}
	found, more, err := d.Products.Search(ctx, in.Repository, in.Query, productPath(in.Folder))
	if err != nil {
		return "", err
	}
	if len(found) == 0 && !more {
		return "No file contains this text.", nil
	}
	var b strings.Builder
	for _, m := range found[:min(len(found), maxProductHits)] {
		fmt.Fprintf(&b, "%s:%d: %s\n", m.Path, m.Line, clip.Runes(strings.TrimSpace(strings.ToValidUTF8(m.Text, "\ufffd")), maxLine))
	}
	if more || len(found) > maxProductHits {
		b.WriteString("… and more: search for something more specific, or in a folder\n")
	}
	return d.fromProduct(in.Repository, guard.Visible(b.String())), nil
}

func readProductTool() tool {
	return tool{Tool: Tool{Name: "read_product",
		Description: "Reads a file of the product's own code, which you cannot change, or lists a folder. " +
			"Long files are returned in parts: set the first line.",
		Input: schema([]string{"repository"}, map[string]property{"repository": {"string", "Name of a product repository."},
			"path": {"string", "File or folder; omit for the root."}, "line": {"integer", "First line, from 1."}})},
		run: (*Toolset).readProduct}
}

func (d *Toolset) readProduct(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		Repository string `json:"repository" required:"true"`
		Path       string `json:"path"`
		Line       int    `json:"line"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	if err := d.knownProduct(in.Repository); err != nil {
		return "", err
	}
	name := productPath(in.Path)
	if name == "" {
		return d.listProduct(ctx, in.Repository, "")
	}
	data, found, err := d.Products.Read(ctx, in.Repository, name)
	if err != nil {
		return "", err
	}
	if !found {
		return d.listProduct(ctx, in.Repository, name)
	}
	if !utf8.Valid(data) || bytes.ContainsRune(data, 0) {
		return fmt.Sprintf("The file is not a text file; it has %d bytes.", len(data)), nil
	}
	// Comments in code are content that a model should read: only invisible text is removed.
	lines := strings.SplitAfter(guard.Visible(string(data)), "\n")
	text, more, err := linesFrom(in.Path, lines, in.Line)
	if err != nil {
		return "", err
	}
	return d.fromProduct(in.Repository, text) + more, nil
}

func (d *Toolset) listProduct(ctx context.Context, repository, folder string) (string, error) {
	names, more, err := d.Products.List(ctx, repository, folder)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", refuse("There is no file or folder of that name in %s, or it is larger than 1 MiB.", repository)
	}
	text := strings.Join(names[:min(len(names), maxProductList)], "\n") + "\n"
	if more || len(names) > maxProductList {
		text += "… and more\n"
	}
	return d.fromProduct(repository, guard.Visible(text)), nil
}

// fromProduct marks text from a product repository as untrusted, and states the commit.
func (d *Toolset) fromProduct(repository, text string) string {
	return fmt.Sprintf("%s at commit %s:\n", repository, d.Products.Commit(repository)) +
		guard.Untrusted("product repository "+repository, text)
}

func (d *Toolset) knownProduct(name string) error {
	if names := d.Products.Names(); !slices.Contains(names, name) {
		return refuse("There is no product repository %.60q. There are: %s.", name, strings.Join(names, ", "))
	}
	return nil
}

// productPath normalizes a path to the form that read_product lists: models sometimes add a slash before or after
// it.
func productPath(name string) string { return strings.Trim(plainPath(name), "/") }
