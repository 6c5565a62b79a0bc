package automate

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/apichange"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/git"
)

const (
	maxChanged      = 256 << 10 // bytes of the names of changed files
	maxDescriptions = 10        // API descriptions of one push that are compared
	maxCandidates   = 100       // files of one push that are looked at
	maxNames        = 500       // characters of their names in the log
)

// description recognizes the beginning of an API description in YAML and JSON.
var description = regexp.MustCompile(`(?m)^[\s{]*"?(openapi|swagger)"?\s*:`)

// compareAPI returns what a push changed for clients of the product's APIs, as a request; ok = it touched an API
// description.
func (w *Watcher) compareAPI(ctx context.Context, p project.Product, remote git.Remote, head string) (ask Request, ok bool,
	err error) {
	ask = Request{Cause: automation.ByPush,
		Why: fmt.Sprintf("Push to the product repository %s: commit %.12s.", p.Name, head)}
	names, _, err := w.Git.Changed(ctx, remote, p.Seen, head, maxChanged)
	if fault.HasCode(err, "commit_not_found") {
		ask.Nothing = "Its history was rewritten, so API descriptions cannot be compared with what they were."
		return ask, true, nil
	}
	if err != nil {
		return ask, false, err
	}
	var touched []string
	var b strings.Builder
	for _, name := range candidates(names) {
		text, found, err := w.changedAPI(ctx, p, remote, head, name)
		if err != nil {
			return ask, false, err
		}
		if !found {
			continue
		}
		if touched = append(touched, name); text != "" {
			fmt.Fprintf(&b, "%s of the product repository %s:\n\n%s\n", name, p.Name, text)
		}
		if len(touched) == maxDescriptions {
			break
		}
	}
	if ask.Given = clip.Bytes(b.String(), maxPatch); ask.Given == "" {
		ask.Nothing = "Nothing changed for clients in " + clip.Runes(strings.Join(touched, ", "), maxNames) + "."
	} else {
		ask.Given = "Changes of API descriptions from commit " + p.Seen + " to " + head + ":\n\n" + ask.Given
	}
	return ask, len(touched) > 0, nil
}

// candidates returns the files that may be API descriptions, those that are called so first.
func candidates(names []string) (out []string) {
	for _, name := range names {
		if slices.Contains([]string{".json", ".yaml", ".yml"}, path.Ext(name)) {
			out = append(out, name)
		}
	}
	called := func(name string) int {
		if base := strings.ToLower(path.Base(name)); strings.Contains(base, "api") || strings.Contains(base, "swagger") {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b string) int { return called(a) - called(b) })
	return out[:min(len(out), maxCandidates)]
}

// changedAPI compares a file with what it was. found = it is or was an API description that can be read.
func (w *Watcher) changedAPI(ctx context.Context, p project.Product, remote git.Remote, head,
	name string) (text string, found bool, err error) {
	load := func(commit string) (*openapi.Spec, error) {
		src := newCommitFS(func(name string) ([]byte, bool, error) {
			files, _, err := w.Git.Files(ctx, remote, commit, []string{name})
			data, found := files[name]
			return data, found, err
		})
		if data, _ := src.file(name); !description.Match(data) {
			return nil, src.err
		}
		spec, _ := (&openapi.Loader{FS: src}).Load(ctx, name)
		if spec != nil && spec.Async {
			spec = nil
		}
		return spec, src.err
	}
	before, err := load(p.Seen)
	if err != nil {
		return "", false, err
	}
	after, err := load(head)
	if err != nil || before == nil && after == nil {
		return "", false, err
	}
	if before == nil {
		before = &openapi.Spec{}
	}
	if after == nil {
		after = &openapi.Spec{}
	}
	return apichange.Markdown(apichange.Specs(before, after)), true, nil
}
