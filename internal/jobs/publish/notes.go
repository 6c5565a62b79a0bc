package publish

import (
	"io"
	"io/fs"
	"strings"
)

// notesFiles are where authors tell the assistant what it should know beside the pages; the first that is there counts.
var notesFiles = []string{".lectern/assistant.md", ".mintlify/Assistant.md", ".mintlify/assistant.md"}

// maxNotes bounds them, in bytes; the rest is not read.
const maxNotes = 8 << 10

// notes returns what the authors tell the assistant; "" = nothing, or there is no assistant.
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
		if _ = f.Close(); err != nil { // a folder of that name
			continue
		}
		return strings.ToValidUTF8(string(raw), "")
	}
	return ""
}
