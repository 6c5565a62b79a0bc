package automate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/git"
)

const (
	maxChanged      = 256 << 10 // bytes of changed file names
	maxDescriptions = 10        // API descriptions compared per push or publication
	maxCandidates   = 100       // files inspected per push or publication
	maxNames        = 500       // characters of file names in the log
)

// describing lists the extensions of files that may be API descriptions.
var describing = []string{".json", ".yaml", ".yml"}

// description matches the start of an API description in YAML or JSON.
var description = lazyregexp.New(`(?m)^[\s{]*"?(openapi|swagger)"?\s*:`)

// compareAPI returns a request that describes how a push changed the product's APIs for clients. ok reports whether
// the push touched an API description.
func (w *Watcher) compareAPI(ctx context.Context, p project.Product, remote git.Remote, head string) (ask Request, ok bool,
	err error) {
	ask = Request{Cause: automation.ByAPI,
		Why: fmt.Sprintf("Push to the product repository %s: commit %.12s.", p.Name, head)}
	names, _, err := w.Git.Changed(ctx, remote, p.Seen, head, maxChanged)
	if fault.HasCode(err, "commit_not_found") {
		ask.Nothing = "Its history was rewritten, so API descriptions cannot be compared with their earlier state."
		return ask, true, nil
	}
	if err != nil {
		return ask, false, err
	}
	var c apiComparison
	for _, name := range candidates(names) {
		before, err := w.loadAPI(ctx, remote, p.Seen, name)
		if err != nil {
			return ask, false, err
		}
		after, err := w.loadAPI(ctx, remote, head, name)
		if err != nil {
			return ask, false, err
		}
		if c.add(name, name+" of the product repository "+p.Name, before, after); c.full() {
			break
		}
	}
	return c.request(ask, "from commit "+p.Seen+" to "+head), c.any(), nil
}

// candidates returns the files that may be API descriptions, likeliest names first.
func candidates(names []string) (out []string) {
	for _, name := range names {
		if slices.Contains(describing, path.Ext(name)) {
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

// loaded is a file that may be an API description.
type loaded struct {
	described bool          // its first bytes look like an API description
	spec      *openapi.Spec // empty if the file does not exist; nil if it cannot be read or is not a description
	// read maps each file opened while loading the description to its content; nil = no such file
	read map[string]*string
}

func (w *Watcher) loadAPI(ctx context.Context, remote git.Remote, commit, name string) (loaded, error) {
	return loadAPI(ctx, name, func(name string) (data []byte, found, unreadable bool, err error) {
		files, over, err := w.Git.Files(ctx, remote, commit, []string{name})
		data, found = files[name]
		return data, found, slices.Contains(over, name), err
	})
}

// loadAPI loads a file that may be an API description. read returns a file's content; unreadable means that a file
// exists but is too large or damaged. A description that refers to such a file counts as unreadable.
func loadAPI(ctx context.Context, name string,
	read func(name string) (data []byte, found, unreadable bool, err error)) (out loaded, err error) {
	incomplete := false
	src := newSourceFS(func(name string) ([]byte, bool, error) {
		data, found, unreadable, err := read(name)
		incomplete = incomplete || unreadable
		return data, found, err
	})
	data, found := src.file(name)
	if out.described = description.Match(data); out.described {
		out.spec, _ = (&openapi.Loader{FS: src}).Load(ctx, name)
	} else if !found {
		out.spec = &openapi.Spec{}
	}
	if incomplete || out.spec != nil && out.spec.Async {
		out.spec = nil
	}
	out.read = src.known
	return out, src.err
}
