package export

import "strings"

// labelDigits is how much of a commit or digest is in a label: enough to tell versions of a site apart, and short enough to type.
const labelDigits = 12

// Label is the version of an export that was given none: the short id of the commit that is exported, or of the content where there is no
// commit ("tree-" and a digest). So every bundle has a version that can be pinned, and equal content has equal labels.
func Label(commit string) string {
	digest, isTree := strings.CutPrefix(commit, "tree-")
	digest = digest[:min(len(digest), labelDigits)]
	if isTree && digest != "" {
		return "tree-" + digest
	}
	return digest
}

// LabelFor is the version of the job now that it is known what is exported. A version that was asked for stays; one that was made from the
// content of an earlier attempt does not.
func (j Job) LabelFor(commit string) string {
	if j.Version != "" && j.Version != Label(j.Commit) {
		return j.Version
	}
	return Label(commit)
}
