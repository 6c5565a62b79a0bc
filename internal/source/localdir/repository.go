package localdir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Repository returns the path by which git may open the repository at the place. git follows references in a
// repository's own files, so below a Root the repository must be plain: no links, no borrowed objects, no pointer to
// another repository, and only settings that refer to no file and run no program. Below a Root, the returned path is
// the git directory itself, because for a folder that is not a repository git would try other paths.
func (p Place) Repository() (string, error) {
	if p.Root == "" {
		return p.Path, nil
	}
	root, err := p.Open()
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	at, err := p.plainRepository(root)
	if err != nil {
		return "", fault.New(fault.Forbidden, "local_source_off",
			"The path on the server's disk is not a repository that this organization may use.").
			WithField("source.repository").
			WithHint("It must be a self-contained repository without links, alternates or unusual git settings.").
			WithCause(err)
	}
	return at, nil
}

// plainRepository checks the git directory of the opened place, and returns its path.
func (p Place) plainRepository(root *os.Root) (string, error) {
	git, at := root, p.Path
	if info, err := root.Lstat(dotGit); err == nil {
		if !info.IsDir() {
			return "", errors.New(".git is not a folder")
		}
		if git, err = root.OpenRoot(dotGit); err != nil {
			return "", err
		}
		defer func() { _ = git.Close() }()
		at = filepath.Join(at, dotGit)
	}
	if err := checkHead(git); err != nil {
		return "", err
	}
	if err := checkSettings(git); err != nil {
		return "", err
	}
	if err := checkFiles(git); err != nil {
		return "", err
	}
	return p.resolve(at, git)
}

// resolve returns the path of the opened git directory with links resolved; it must be below the root.
func (p Place) resolve(at string, git *os.Root) (string, error) {
	outer, err := filepath.EvalSymlinks(p.Root)
	if err != nil {
		return "", err
	}
	if at, err = filepath.EvalSymlinks(at); err != nil {
		return "", err
	}
	if !below(at, outer) {
		return "", errors.New("the path leads out of the root")
	}
	opened, err := git.Stat(".")
	if err != nil {
		return "", err
	}
	if named, err := os.Stat(at); err != nil || !os.SameFile(opened, named) {
		return "", errors.Join(errors.New("the path leads to a different folder from the one that was checked"), err)
	}
	for _, name := range []string{"objects", "refs"} { // git skips a repository whose folders are not searchable
		if err := syscall.Access(filepath.Join(at, name), searchable); err != nil {
			return "", fmt.Errorf("enter %s: %w", name, err)
		}
	}
	return at, nil
}

const (
	dotGit     = ".git"
	searchable = 1 // X_OK
	maxHead    = 1 << 10
)

// branchOrCommit matches the HEAD files that git accepts; otherwise git does not treat the folder as a repository.
var branchOrCommit = lazyregexp.New(`^(ref: refs/[^\s]+|[0-9a-f]{40}|[0-9a-f]{64})\n?$`)

func checkHead(git *os.Root) error {
	if info, err := git.Lstat("HEAD"); err != nil || !info.Mode().IsRegular() || info.Size() > maxHead {
		return errors.Join(errors.New("HEAD is not a small regular file"), err)
	}
	head, err := git.ReadFile("HEAD")
	if err != nil {
		return err
	}
	if !branchOrCommit.Match(head) {
		return errors.New("HEAD refers to neither a branch nor a commit")
	}
	return nil
}

// checkFiles rejects anything other than regular files and folders. It also rejects pointers to other repositories, and
// folders that are not repositories.
func checkFiles(git *os.Root) error {
	for _, name := range []string{"objects", "refs"} {
		if info, err := git.Lstat(name); err != nil || !info.IsDir() {
			return errors.Join(fmt.Errorf("%s is not a folder", name), err)
		}
	}
	return fs.WalkDir(git.FS(), ".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir() && !d.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", at)
		case slices.Contains(pointers, strings.ToLower(at)): // some file systems ignore case
			return fmt.Errorf("%s points to another location", at)
		}
		return nil
	})
}

// pointers lists files through which a repository refers to another one, and settings of a single work tree. git looks
// into .git before it looks at the folder that contains it.
var pointers = []string{dotGit, "commondir", "gitdir", "worktrees", "modules", "config.worktree",
	"objects/info/alternates", "objects/info/http-alternates"}

const maxSettings = 64 << 10 // bytes of a repository's own settings

var (
	section = lazyregexp.New(`^\[([A-Za-z]+)( "[^"\\\]]*")?\]$`)
	setting = lazyregexp.New(`^([A-Za-z0-9-]+)\s*=\s*[^"\\]*$`)
)

// harmless lists the settings that a repository may have. "remote" and "branch" matter only to people who work in it.
var harmless = map[string][]string{
	"core": {"repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode",
		"symlinks", "sharedrepository"},
	"user": {"name", "email"}, "remote": {"url", "fetch"}, "branch": {"remote", "merge", "rebase"},
	"receive": {"denycurrentbranch", "denynonfastforwards", "denydeletes"}, "extensions": {"objectformat"},
	"init": {"defaultbranch"}, "gc": {"auto"},
}

// checkSettings rejects a repository whose own settings contain anything unusual, such as include.path or
// core.hooksPath.
func checkSettings(git *os.Root) error {
	f, err := git.Open("config")
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	if info, err := git.Lstat("config"); err != nil || !info.Mode().IsRegular() || info.Size() > maxSettings {
		return errors.New("config is not a small regular file")
	}
	lines := bufio.NewScanner(io.LimitReader(f, maxSettings))
	in := ""
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if m := section.FindStringSubmatch(line); m != nil {
			in = strings.ToLower(m[1])
			continue
		}
		m := setting.FindStringSubmatch(line)
		if m == nil || !slices.Contains(harmless[in], strings.ToLower(m[1])) {
			return fmt.Errorf("config has an unusual setting in section %q", in)
		}
	}
	return lines.Err()
}
