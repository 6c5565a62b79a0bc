package export

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// labelDigits is the number of digits of a commit or digest in a label: enough to distinguish versions of a site,
// and short enough to type.
const labelDigits = 12

// pathDigits is the number of digits of a page list's digest in a label.
const pathDigits = 8

// Label returns the version label of an export for which none was requested. It is the abbreviated id of the exported
// commit or, if there is no commit, "tree-" and a digest of the content. Every bundle therefore has a version that can
// be pinned, and equal content has equal labels. An export of selected pages gets the suffix "-p" and a digest of their
// cleaned paths, so that a pin of the whole site does not match it. An export for reader groups gets "-g" and a digest
// of the groups. The label is "" if commit is "".
func Label(commit string, paths, groups []string) string {
	digest, isTree := strings.CutPrefix(commit, "tree-")
	digest = digest[:min(len(digest), labelDigits)]
	if digest == "" {
		return ""
	}
	if isTree {
		digest = "tree-" + digest
	}
	for _, part := range []struct {
		mark  string
		names []string
	}{{"-p", paths}, {"-g", groups}} {
		if len(part.names) > 0 {
			sum := sha256.Sum256([]byte(strings.Join(nameSet(part.names), "\x00"))) // paths cannot contain this character
			digest += part.mark + hex.EncodeToString(sum[:])[:pathDigits]
		}
	}
	return digest
}

// nameSet sorts a list and removes duplicates, because neither affects what is exported.
func nameSet(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// LabelFor returns the version of the job once the exported commit is known. A requested version is kept. A version
// derived from the content of an earlier attempt is replaced.
func (j Job) LabelFor(commit string) string {
	if j.Version != "" && j.Version != Label(j.Commit, j.Paths, j.Groups) {
		return j.Version
	}
	return Label(commit, j.Paths, j.Groups)
}
