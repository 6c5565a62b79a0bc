package git

import (
	"path"
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ValidateBranch checks name against git's own rules for reference names; "" is valid and means the remote's HEAD.
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

// pullRef matches the refs by which code hosts offer the changes of a pull request, also of one from a fork.
var pullRef = regexp.MustCompile(`^refs/(pull/[1-9][0-9]{0,17}/head|merge-requests/[1-9][0-9]{0,17}/head|` +
	`pull-requests/[1-9][0-9]{0,17}/from)$`)

// IsPull reports whether a branch's name is the ref of a pull request. Such a name is fetched as it is: what it leads to
// may be written by anybody.
func IsPull(branch string) bool { return pullRef.MatchString(branch) }

// tagPrefix begins the full name of a tag, which takes the place of a branch's name where a version is fetched.
const tagPrefix = "refs/tags/"

// refOf returns the full name of a branch.
func refOf(branch string) string {
	if IsPull(branch) || strings.HasPrefix(branch, tagPrefix) {
		return branch
	}
	return "refs/heads/" + branch
}

// cleanFolder brings a folder to the form that git's tree paths have.
func cleanFolder(folder string) (string, error) {
	clean := path.Clean("/" + folder)[1:]
	if strings.Contains("/"+folder+"/", "/../") || strings.ContainsRune(folder, 0) || len(folder) > 512 {
		return "", fault.New(fault.Invalid, "bad_folder", "The docs folder is not a path below the repository's root.").
			WithField("docsFolder")
	}
	return clean, nil
}
