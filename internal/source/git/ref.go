package git

import (
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// ValidateBranch checks a name against git's rules for reference names; "" is valid and means the remote's HEAD.
func ValidateBranch(name string) error {
	if name == "" {
		return nil
	}
	bad := len(name) > 250 || name == "@" || strings.HasPrefix(name, "-") || strings.HasPrefix(name, "/") ||
		strings.HasSuffix(name, "/") ||
		strings.HasSuffix(name, ".") || strings.Contains(name, "..") || strings.Contains(name, "//") ||
		strings.Contains(name, "@{")
	for _, c := range []byte(name) {
		bad = bad || c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0
	}
	for element := range strings.SplitSeq(name, "/") {
		bad = bad || strings.HasPrefix(element, ".") || strings.HasSuffix(element, ".lock")
	}
	if bad {
		return fault.New(fault.Invalid, "bad_branch_name", "git does not accept this branch name.").
			WithField("source.branch").
			WithHint("Use the short name of the branch, such as main or release/2.0.")
	}
	return nil
}

// pullRef matches the refs under which code hosts publish pull requests, including those from forks.
var pullRef = lazyregexp.New(`^refs/(pull/[1-9][0-9]{0,17}/head|merge-requests/[1-9][0-9]{0,17}/head|` +
	`pull-requests/[1-9][0-9]{0,17}/from)$`)

// IsPull reports whether a branch name is the ref of a pull request. Such refs are fetched unchanged; their content
// may come from anyone.
func IsPull(branch string) bool { return pullRef.MatchString(branch) }

// tagPrefix is the prefix of a tag's full name, which is used instead of a branch name to fetch a version.
const tagPrefix = "refs/tags/"

// refOf returns the full name of a branch, a tag or a pull request's ref.
func refOf(branch string) string {
	if IsPull(branch) || strings.HasPrefix(branch, tagPrefix) {
		return branch
	}
	return "refs/heads/" + branch
}

// cleanFolder converts a folder to the form of git's tree paths.
func cleanFolder(folder string) (string, error) {
	clean := path.Clean("/" + folder)[1:]
	if strings.Contains("/"+folder+"/", "/../") || strings.ContainsRune(folder, 0) || len(folder) > 512 {
		return "", fault.New(fault.Invalid, "bad_folder", "The docs folder is not a path below the repository's root.").
			WithField("docsFolder")
	}
	return clean, nil
}
