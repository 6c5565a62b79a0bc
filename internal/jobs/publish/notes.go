package publish

import (
	"io"
	"io/fs"
	"strings"
)

// notesFiles are the files with authors' notes for the assistant, in addition to the pages; the first existing one is
// used.
var notesFiles = []string{".lectern/assistant.md", ".mintlify/Assistant.md", ".mintlify/assistant.md"}

// maxNotes is the number of bytes read from them; the rest is ignored.
const maxNotes = 8 << 10

// notes returns the authors' notes for the assistant; "" if there are none or the assistant is off.
func (r *run) notes(src fs.FS) string {
	if !r.Offers.Assistant.On {
		return ""
	}
	for _, name := range notesFiles {
		f, err := src.Open(name)
		if err != nil {
			continue
		}
		raw, err := io.ReadAll(io.LimitReader(f, maxNotes))
		if _ = f.Close(); err != nil { // a folder with that name
			continue
		}
		return strings.ToValidUTF8(string(raw), "")
	}
	return ""
}
