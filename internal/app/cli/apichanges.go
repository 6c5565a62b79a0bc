package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/site/apichange"
	"github.com/lectern-docs/lectern/internal/site/changelog"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/git"
)

type apiChangesCommand struct {
	Old    string `arg:"" help:"The earlier description: a file, or COMMIT:FILE of a Git repository, such as v1.2.0:openapi.yaml."`
	New    string `arg:"" help:"The current description: a file, or COMMIT:FILE."`
	Into   string `placeholder:"PAGE" help:"Also add the changes to a page, as an <Update> above the existing ones; the page is created if it is missing."`
	Label  string `help:"Label of the <Update>. Default: today's date."`
	Strict bool   `help:"Fail if a change breaks clients."`
}

// Help returns the long description.
func (apiChangesCommand) Help() string {
	return `Prints what changed for clients of an API, as Markdown: operations, parameters, fields, required values, types and allowed values.
Reads OpenAPI 3 and Swagger 2 in YAML or JSON. Exits with 1 if --strict is given and a change breaks clients.

    lectern api-changes openapi-1.yaml openapi-2.yaml
    lectern api-changes v1.2.0:docs/openapi.yaml docs/openapi.yaml --into docs/api-changelog.mdx --label v1.3.0`
}

func (c *apiChangesCommand) Run(ctx context.Context, r *run) error {
	before, err := readDescription(ctx, r, c.Old, "old")
	if err != nil {
		return err
	}
	after, err := readDescription(ctx, r, c.New, "new")
	if err != nil {
		return err
	}
	list := apichange.Specs(before, after)
	text := apichange.Markdown(list)
	if text == "" {
		fmt.Fprintln(r.Stderr, "Nothing changed for clients")
		return nil
	}
	if _, err := fmt.Fprint(r.Stdout, text); err != nil {
		return err
	}
	if c.Into != "" {
		if err := c.addTo(r, before, after, text); err != nil {
			return err
		}
	}
	breaking := 0
	for _, change := range list {
		if change.Breaking {
			breaking++
		}
	}
	fmt.Fprintf(r.Stderr, "%s, %d of them breaking\n", count(len(list), "change"), breaking)
	if c.Strict && breaking > 0 {
		return errReported
	}
	return nil
}

// readDescription reads FILE or COMMIT:FILE.
func readDescription(ctx context.Context, r *run, where, field string) (*openapi.Spec, error) {
	src, name, closeSource, err := openDescription(ctx, where, field)
	if err != nil {
		return nil, err
	}
	defer closeSource()
	spec, list := (&openapi.Loader{FS: src}).Load(ctx, name)
	for _, d := range list { // incomplete descriptions are not compared
		if d.Severity == diag.Error || strings.HasPrefix(d.Code, "ref-") {
			fmt.Fprintln(r.Stderr, d)
		}
	}
	if spec == nil || spec.Async {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "%s is not an OpenAPI description that can be read.", where).
			WithField(field)
	}
	return spec, nil
}

// openDescription opens the folder of a description: the current folder if the file is below it, so that the
// description can refer to files in other folders.
func openDescription(ctx context.Context, where, field string) (src fs.FS, name string, closeSource func(), err error) {
	commit, file, inGit := strings.Cut(where, ":")
	if _, err := os.Stat(where); err == nil || !inGit || commit == "" {
		commit, file = "", where
	}
	dir, name := filepath.Dir(file), filepath.Base(file)
	if filepath.IsLocal(file) {
		dir, name = ".", filepath.ToSlash(filepath.Clean(file))
	}
	if commit == "" {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, "", nil, fault.Newf(fault.Invalid, "invalid_field", "%s %s.", where, unopened(where)).WithField(field)
		}
		return root.FS(), name, func() { _ = root.Close() }, nil
	}
	repo, err := git.OpenLocal(ctx, "", dir)
	if err != nil {
		return nil, "", nil, err
	}
	found, err := repo.Resolve(ctx, commit)
	if err != nil {
		return nil, "", nil, err
	}
	tree, err := repo.Tree(ctx, found)
	if err != nil {
		return nil, "", nil, err
	}
	return tree, name, func() { _ = tree.Close() }, nil // read-only
}

// addTo adds the changes above the existing updates of a page. Adding the same changes again does nothing.
func (c *apiChangesCommand) addTo(r *run, before, after *openapi.Spec, text string) error {
	page, err := os.ReadFile(c.Into)
	if os.IsNotExist(err) {
		page = []byte("---\ntitle: API changelog\ndescription: What changed in the API, newest first.\n---\n\n")
	} else if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "The page %s %s.", c.Into, unopened(c.Into)).WithField("into").WithCause(err)
	}
	label := c.Label
	if label == "" {
		label = r.Now().Format("2006-01-02")
	}
	description := ""
	if after.Version != before.Version {
		description = after.Version
	}
	entry := changelog.Update(label, description, "\n"+text)
	if bytes.Contains(page, []byte(entry)) {
		fmt.Fprintf(r.Stderr, "%s already has these changes\n", c.Into)
		return nil
	}
	front, list := frontmatter.Cut(c.Into, page)
	if list.HasErrors() {
		return fault.Newf(fault.Invalid, "invalid_field", "The front matter of %s cannot be read.", c.Into).WithField("into")
	}
	tree, list := mdx.ParseWith(mdx.Options{}, c.Into, front.Body, front.BodyLine)
	if list.HasErrors() {
		printDiagnostics(r.Stderr, slices.DeleteFunc(list, func(d diag.Diagnostic) bool { return d.Severity != diag.Error }), "--all")
		return fault.Newf(fault.Invalid, "invalid_field", "The page %s cannot be parsed.", c.Into).WithField("into")
	}
	at := len(page)
	if updates := changelog.Updates(tree); len(updates) > 0 {
		at = len(page) - len(front.Body) + updates[0].Start
		entry += "\n"
	} else if !bytes.HasSuffix(page, []byte("\n\n")) {
		entry = "\n" + entry
	}
	root, err := os.OpenRoot(filepath.Dir(c.Into))
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "The folder of %s %s.", c.Into, unopened(filepath.Dir(c.Into))).WithField("into").
			WithCause(err)
	}
	defer root.Close()
	if err := rewrite(r, root, filepath.Base(c.Into), slices.Concat(page[:at], []byte(entry), page[at:])); err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "added to %s\n", c.Into)
	return nil
}
