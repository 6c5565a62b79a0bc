package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/translation"
)

type translationsCommand struct {
	Dir      string   `arg:"" help:"Docs folder: the folder with docs.json."`
	Language string   `placeholder:"CODE" help:"Only this language, as docs.json names it."`
	JSON     bool     `name:"json" help:"Print one JSON object per line: language, page, source, state."`
	Mark     []string `placeholder:"PAGE" help:"Record that this page, such as fr/start, is a translation of its source as it is now; can be repeated."`
}

// Help returns the long description.
func (translationsCommand) Help() string {
	return `Lists the pages of the default language and their translations. The state of a translation is

    current   it was made from the source as it is
    stale     the source changed since
    unmarked  its front matter does not say what it was made from (translatedFrom)
    missing   not translated; the path is where the translation belongs

    lectern translations ./docs
    lectern translations ./docs --language fr --json | jq -r 'select(.state == "stale") | .page'
    lectern translations ./docs --mark fr/start --mark fr/guides/deploy`
}

// translationState is a translation in the output of --json.
type translationState struct {
	Language string            `json:"language"`
	Page     string            `json:"page"`
	Source   string            `json:"source"`
	State    translation.State `json:"state"`
}

func (c *translationsCommand) Run(ctx context.Context, r *run) error {
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return fault.Newf(fault.Invalid, "invalid_field", "The docs folder %s %s.", c.Dir, unopened(c.Dir)).WithField("dir").
			WithHint("Pass the folder that contains docs.json.").WithCause(err)
	}
	defer root.Close()
	set, err := translation.Load(ctx, root.FS())
	if err != nil {
		return err
	}
	list := set.List
	if c.Language != "" {
		list = slices.DeleteFunc(list, func(s translation.Status) bool { return !strings.EqualFold(s.Language, c.Language) })
		if len(list) == 0 {
			return fault.Newf(fault.NotFound, "unknown_language", "The site has no translations into %q.", c.Language).
				WithHint("Languages are those of navigation.languages in docs.json, besides the default one.")
		}
	}
	if len(c.Mark) > 0 {
		return c.mark(r, root, list)
	}
	return c.printResult(r, list)
}

// mark updates the marks of the named pages, or of none if a name is unknown.
func (c *translationsCommand) mark(r *run, root *os.Root, list []translation.Status) error {
	var chosen []translation.Status
	for _, name := range c.Mark {
		i := slices.IndexFunc(list, func(s translation.Status) bool {
			return s.Page != nil && (s.Path == strings.Trim(name, "/") || s.Page.File == name)
		})
		if i < 0 {
			return fault.Newf(fault.NotFound, "unknown_page", "%q is not the translation of a page.", name).
				WithHint("Run the command without --mark for a list of the pages.")
		}
		chosen = append(chosen, list[i])
	}
	changed := 0
	for _, s := range chosen {
		before, err := fs.ReadFile(root.FS(), s.Page.File)
		if err != nil {
			return fmt.Errorf("read page: %w", err)
		}
		after, err := translation.SetMark(before, s.Mark)
		if err != nil {
			return fmt.Errorf("mark %s: %w", s.Page.File, err)
		}
		if string(after) == string(before) {
			continue
		}
		if err := rewrite(r, root, s.Page.File, after); err != nil {
			return err
		}
		changed++
		fmt.Fprintln(r.Stdout, harmless(s.Page.File))
	}
	fmt.Fprintf(r.Stderr, "%s marked\n", count(changed, "page"))
	return nil
}

func (c *translationsCommand) printResult(r *run, list []translation.Status) error {
	counts, rows := map[translation.State]int{}, [][]string{}
	for _, s := range list {
		counts[s.State]++
		if c.JSON {
			if err := printJSON(r.Stdout, translationState{s.Language, s.Path, s.Source.Path, s.State}); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{harmless(s.Language), harmless(s.Path), string(s.State)})
	}
	if len(rows) > 0 {
		if err := printTable(r.Stdout, []string{"LANGUAGE", "PAGE", "STATE"}, rows); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.Stderr, "%d current, %d stale, %d unmarked, %d missing\n", counts[translation.Current], counts[translation.Stale],
		counts[translation.Unmarked], counts[translation.Missing])
	return nil
}
