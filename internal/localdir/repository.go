package localdir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/fault"
)

// Repository returns the path by which git may open the repository at the place. git follows what a repository's own files say, so below a
// Root the repository must be plain: no link, no borrowed objects, no pointer to another repository, and only settings that name no
// file and run no program.
func (p Place) Repository() (string, error) {
	if p.Root == "" {
		return p.Path, nil
	}
	root, err := p.Open()
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	if err := plainRepository(root); err != nil {
		return "", fault.New(fault.Forbidden, "local_source_off", "The repository on the server's disk leads out of the folder that this organization may use.").
			WithField("source.repository").WithHint("It may have no links, no alternates and no settings beyond git's usual ones.").WithCause(err)
	}
	return filepath.EvalSymlinks(p.Path)
}

func plainRepository(root *os.Root) error {
	git := root
	if info, err := root.Lstat(".git"); err == nil {
		if !info.IsDir() {
			return errors.New(".git is not a folder")
		}
		if git, err = root.OpenRoot(".git"); err != nil {
			return err
		}
		defer func() { _ = git.Close() }()
	}
	if err := checkSettings(git); err != nil {
		return err
	}
	return fs.WalkDir(git.FS(), ".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir() && !d.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file", at)
		case slices.Contains(pointers, at):
			return fmt.Errorf("%s points to another place", at)
		}
		return nil
	})
}

// pointers are files by which a repository uses another one, or settings of one work tree.
var pointers = []string{"commondir", "gitdir", "worktrees", "modules", "config.worktree", "objects/info/alternates", "objects/info/http-alternates"}

const maxSettings = 64 << 10 // bytes of a repository's own settings

var (
	section = regexp.MustCompile(`^\[([A-Za-z]+)( "[^"\\\]]*")?\]$`)
	setting = regexp.MustCompile(`^([A-Za-z0-9-]+)\s*=\s*[^"\\]*$`)
)

// harmless are the settings that a repository may have. "remote" and "branch" matter only to who works in it.
var harmless = map[string][]string{
	"core": {"repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks", "sharedrepository"},
	"user": {"name", "email"}, "remote": {"url", "fetch"}, "branch": {"remote", "merge", "rebase"},
	"receive": {"denycurrentbranch", "denynonfastforwards", "denydeletes"}, "extensions": {"objectformat"}, "init": {"defaultbranch"}, "gc": {"auto"},
}

// checkSettings refuses a repository whose own settings have anything unusual, such as include.path or core.hooksPath.
func checkSettings(git *os.Root) error {
	f, err := git.Open("config")
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
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
