package automate

import (
	"context"
	"errors"
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
	maxChanged      = 256 << 10 // bytes of changed file names
	maxDescriptions = 10        // API descriptions compared per push
	maxCandidates   = 100       // files inspected per push
	maxNames        = 500       // characters of file names in the log
)

// description matches the start of an API description in YAML or JSON.
var description = regexp.MustCompile(`(?m)^[\s{]*"?(openapi|swagger)"?\s*:`)

// compareAPI returns a request that describes how a push changed the product's APIs for clients. ok reports whether
// the push touched an API description.
func (w *Watcher) compareAPI(ctx context.Context, p project.Product, remote git.Remote, head string) (ask Request, ok bool,
	err error) {
	ask = Request{Cause: automation.ByAPI,
		Why: fmt.Sprintf("Push to the product repository %s: commit %.12s.", p.Name, head)}
	names, _, err := w.Git.Changed(ctx, remote, p.Seen, head, maxChanged)
	if fault.HasCode(err, "commit_not_found") {
		ask.Nothing = "Its history was rewritten, so API descriptions cannot be compared with what they were."
		return ask, true, nil
	}
	if err != nil {
		return ask, false, err
	}
	var compared, broken []string
	var b strings.Builder
	for _, name := range candidates(names) {
		text, found, err := w.changedAPI(ctx, p, remote, head, name)
		switch {
		case errors.Is(err, errBroken):
			broken = append(broken, name)
		case err != nil:
			return ask, false, err
		case found:
			if compared = append(compared, name); text != "" {
				fmt.Fprintf(&b, "%s of the product repository %s:\n\n%s\n", name, p.Name, text)
			}
		}
		if len(compared)+len(broken) == maxDescriptions {
			break
		}
	}
	if len(broken) > 0 {
		ask.Nothing = clip.Runes(strings.Join(broken, ", "), maxNames) + " cannot be read, as it is or as it was."
	}
	switch ask.Given = clip.Bytes(b.String(), maxPatch); {
	case ask.Given != "":
		ask.Given = "Changes of API descriptions from commit " + p.Seen + " to " + head + ":\n\n" + ask.Given
		ask.Why, ask.Nothing = strings.TrimSpace(ask.Why+" "+ask.Nothing), ""
	case len(compared) > 0:
		ask.Nothing = strings.TrimSpace("Nothing changed for clients in " +
			clip.Runes(strings.Join(compared, ", "), maxNames) + ". " + ask.Nothing)
	}
	return ask, len(compared)+len(broken) > 0, nil
}

// candidates returns the files that may be API descriptions, most likely names first.
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

// errBroken means that a description exists but cannot be read. Comparing it as an empty one would report that
// everything was removed.
var errBroken = errors.New("the API description cannot be read")

// changedAPI compares a file with its previous version. found reports whether it is or was an API description. A
// missing file counts as empty.
func (w *Watcher) changedAPI(ctx context.Context, p project.Product, remote git.Remote, head,
	name string) (text string, found bool, err error) {
	before, err := w.loadAPI(ctx, remote, p.Seen, name)
	if err != nil {
		return "", false, err
	}
	after, err := w.loadAPI(ctx, remote, head, name)
	switch {
	case err != nil:
		return "", false, err
	case !before.described && !after.described:
		return "", false, nil
	case before.spec == nil || after.spec == nil:
		return "", false, errBroken
	}
	return apichange.Markdown(apichange.Specs(before.spec, after.spec)), true, nil
}

// loaded is a file that may be an API description.
type loaded struct {
	described bool          // its first bytes look like an API description
	spec      *openapi.Spec // empty if the file does not exist; nil if it is something else or cannot be read
}

func (w *Watcher) loadAPI(ctx context.Context, remote git.Remote, commit, name string) (out loaded, err error) {
	large := false // the file, or a file that it refers to
	src := newCommitFS(func(name string) ([]byte, bool, error) {
		files, over, err := w.Git.Files(ctx, remote, commit, []string{name})
		data, found := files[name]
		large = large || slices.Contains(over, name)
		return data, found, err
	})
	data, found := src.file(name)
	if out.described = description.Match(data); out.described {
		out.spec, _ = (&openapi.Loader{FS: src}).Load(ctx, name)
	} else if !found {
		out.spec = &openapi.Spec{}
	}
	if large || out.spec != nil && out.spec.Async {
		out.spec = nil
	}
	return out, src.err
}
