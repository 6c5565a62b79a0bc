package translation

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// Key is the front matter key that contains the mark of the source.
const Key = "translatedFrom"

// markLength is the number of digest bytes in a mark. It is enough to distinguish the versions of one page.
const markLength = 6

// Mark returns the mark of a source page: a digest of its body and of the front matter fields that readers see. It
// ignores the kind of line endings, and blank lines at the end. The version prefix makes changes to this definition
// detectable, and prevents YAML from parsing the mark as a number.
func Mark(page frontmatter.Page) string {
	h := sha256.New()
	for _, text := range []string{page.Fields.Title, page.Fields.SidebarTitle, page.Fields.Description, page.Fields.Tag} {
		fmt.Fprintf(h, "%d %s\n", len(text), text)
	}
	h.Write(bytes.TrimSpace(bytes.ReplaceAll(page.Body, []byte("\r\n"), []byte("\n"))))
	return "v1-" + hex.EncodeToString(h.Sum(nil)[:markLength])
}

// SetMark returns the source of a translated page with the given mark in its front matter.
func SetMark(src []byte, mark string) ([]byte, error) { return write.SetField(src, Key, mark) }
