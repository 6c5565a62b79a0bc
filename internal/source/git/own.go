package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// plainOwn returns the path of one of the server's own repositories if its refs and objects are stored in git's oldest
// format; ok is false for all other repositories. Jobs look up the branches of such a repository many times, and git
// would start three processes for each lookup.
func (c *Cache) plainOwn(url string) (path string, ok bool) {
	path, local := LocalPath(url)
	if !local || !c.owns(path) {
		return "", false
	}
	config, err := os.ReadFile(filepath.Join(path, "config"))
	if err != nil || strings.Contains(strings.ToLower(string(config)), "extension") { // other formats are extensions
		return "", false
	}
	_, err = os.Lstat(filepath.Join(path, "commondir"))
	return path, errors.Is(err, fs.ErrNotExist)
}

// ownHead reads the current state of a branch, or of HEAD, from one of the server's own repositories. The commit is
// empty if the branch does not exist. If ok is false, the caller has to run git instead.
func (c *Cache) ownHead(url, want string) (h head, ok bool) {
	path, ok := c.plainOwn(url)
	if !ok {
		return head{}, false
	}
	text, err := os.ReadFile(filepath.Join(path, "HEAD"))
	target, symbolic := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: ")
	if err != nil || !symbolic {
		return head{}, false
	}
	if want == detached {
		want = target
	}
	if branch, is := strings.CutPrefix(want, "refs/heads/"); !is || branch == "" || ValidateBranch(branch) != nil {
		return head{}, false
	}
	commit, ok := readRef(path, want)
	return head{ref: want, commit: commit}, ok
}

// readRef returns a ref's object id, "" if there is no such ref. Like git, it looks for the ref's own file first: a
// ref is packed before its file is removed.
func readRef(repo, name string) (id string, ok bool) {
	text, err := os.ReadFile(filepath.Join(repo, filepath.FromSlash(name)))
	if err == nil {
		id = strings.TrimSpace(string(text))
		return id, objectID.MatchString(id)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", false // such as a folder that refs have left
	}
	packed, err := os.ReadFile(filepath.Join(repo, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", true
	}
	for line := range strings.Lines(string(packed)) {
		if id, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ref == name {
			return id, objectID.MatchString(id)
		}
	}
	return "", err == nil
}

// initBare creates a bare repository for this server's work, as "git init" would in git's oldest format, which every
// version reads. A repository exists once it has HEAD.
func initBare(path, format string) error {
	config := "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
	if format != formatSHA1 {
		config = strings.Replace(config, "= 0", "= 1", 1) + "[extensions]\n\tobjectformat = " + format + "\n"
	}
	var err error
	for _, dir := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(path, filepath.FromSlash(dir)), 0o700))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(path, "config"), []byte(config), 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(path, "HEAD"), []byte("ref: refs/heads/"+Main+"\n"), 0o600)
	}
	if err != nil {
		return fmt.Errorf("create repository: %w", err)
	}
	return nil
}
