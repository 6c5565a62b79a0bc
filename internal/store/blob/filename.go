package blob

import (
	"mime"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// maxFilename is the usual limit on the length of a file name, in bytes.
const maxFilename = 255

// Filename returns the name under which a link's blob is downloaded: filename itself, or the last path element of key
// if filename is empty. A name that is too long, is not UTF-8, or contains a slash, a backslash or a control character
// results in an Invalid fault with the code "bad_filename".
func Filename(key, filename string) (string, error) {
	if filename == "" {
		filename = path.Base(key)
	}
	bad := len(filename) > maxFilename || !utf8.ValidString(filename) ||
		strings.ContainsAny(filename, `/\`) || strings.ContainsFunc(filename, unicode.IsControl)
	if bad {
		return "", fault.New(fault.Invalid, "bad_filename", "The file name of the download is not valid.")
	}
	return filename, nil
}

// Disposition returns the Content-Disposition header that saves a download as filename, which must be a result of
// Filename.
func Disposition(filename string) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": filename})
}
