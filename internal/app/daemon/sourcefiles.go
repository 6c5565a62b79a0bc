package daemon

import (
	"context"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// sourceFiles reads projects' docs folders for programs that edit them.
type sourceFiles struct{ c *core }

// newest returns a project's repository, and the newest commit of its branch.
func (s sourceFiles) newest(ctx context.Context, p project.Project) (remote git.Remote, commit string, err error) {
	if p.Source.Embedded() {
		remote, err = s.c.agents.home.Prepare(ctx, p)
	} else {
		remote, err = s.c.source.Remote(ctx, p, "")
	}
	if err != nil {
		return remote, "", err
	}
	commit, err = s.c.source.Git.Head(ctx, remote)
	return remote, commit, err
}

// below converts a path in the docs folder to a path in the repository.
func below(remote git.Remote, name string) (string, error) {
	if strings.HasPrefix(name, "/") || strings.ContainsRune(name, '\\') || name != "" && name != path.Clean(name) ||
		name == ".." || strings.HasPrefix(name, "../") {
		return "", fault.Newf(fault.Invalid, "invalid_field", "%q is not a path below the docs folder.", name).WithField("path")
	}
	return path.Join(strings.Trim(remote.Folder, "/"), name), nil
}

// List returns the names in a folder.
func (s sourceFiles) List(ctx context.Context, p project.Project, folder string) (commit string, names []string, more bool,
	err error) {
	remote, commit, err := s.newest(ctx, p)
	if err != nil {
		return "", nil, false, err
	}
	at, err := below(remote, strings.TrimSuffix(folder, "/"))
	if err != nil {
		return "", nil, false, err
	}
	all, more, err := s.c.source.Git.List(ctx, remote, commit, at)
	docs := strings.Trim(remote.Folder, "/")
	for _, name := range all {
		if rest := name; docs == "" {
			names = append(names, rest)
		} else if rest, ok := strings.CutPrefix(name, docs+"/"); ok {
			names = append(names, rest)
		}
	}
	return commit, names, more, err
}

// Read returns a file.
func (s sourceFiles) Read(ctx context.Context, p project.Project, name string) (commit string, data []byte, err error) {
	remote, commit, err := s.newest(ctx, p)
	if err != nil {
		return "", nil, err
	}
	at, err := below(remote, name)
	if err != nil {
		return "", nil, err
	}
	files, large, err := s.c.source.Git.Files(ctx, remote, commit, []string{at})
	if err != nil {
		return "", nil, err
	}
	if len(large) > 0 {
		return "", nil, fault.New(fault.Invalid, "invalid_field", "The file is larger than 1 MiB.").WithField("path")
	}
	data, ok := files[at]
	if !ok {
		return "", nil, fault.Newf(fault.NotFound, "unknown_file", "File not found: %q.", name).WithField("path")
	}
	return commit, data, nil
}
