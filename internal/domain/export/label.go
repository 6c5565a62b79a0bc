package export

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// labelDigits is how much of a commit or digest is in a label: enough to distinguish versions of a site, and short
// enough to type.
const labelDigits = 12

// pathDigits is how much of the digest of a page list is in a label.
const pathDigits = 8

// Label returns the version of an export that was given none: the short id of the commit that is exported, or of the
// content where there is no commit ("tree-" and a digest). So every bundle has a version that can be pinned, and equal
// content has equal labels. An export of some pages has "-p" and a digest of their cleaned paths added, so that a pin
// of the whole site is not met by a part of it; one for readers in groups has "-g" and a digest of the groups. It is ""
// when commit is.
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
			sum := sha256.Sum256([]byte(strings.Join(nameSet(part.names), "\x00"))) // no path has this character
			digest += part.mark + hex.EncodeToString(sum[:])[:pathDigits]
		}
	}
	return digest
}

// nameSet returns a list without order and repetition, which do not change what is exported.
func nameSet(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// LabelFor returns the version of the job now that it is known what is exported. A version that was asked for stays;
// one that was made from the content of an earlier attempt does not.
func (j Job) LabelFor(commit string) string {
	if j.Version != "" && j.Version != Label(j.Commit, j.Paths, j.Groups) {
		return j.Version
	}
	return Label(commit, j.Paths, j.Groups)
}
