package output

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strings"
	"unicode"
)

// File is one file of the output. The caller may reuse Data after Put returns, so a Sink must copy any data that it
// keeps.
type File struct {
	Path        string // slash-separated, relative, valid for fs.ValidPath
	ContentType string
	Data        []byte  // nil if there is only the packed form, see Bytes
	Packed      *Packed // nil if not packed yet; must not be changed
	Held        bool    // the sink's Holds returned true for the file, so the content may be missing
	Immutable   bool    // the name contains a digest of the content, so the content under this name never changes
}

// Sink receives files. It is called from one goroutine at a time.
type Sink interface {
	Put(ctx context.Context, f File) error
}

// Holding is implemented by sinks that may have files from an earlier run. Holds reports whether the file at path
// exists and has that content. If so, Put needs only the file's path, size and digest, with Held set. Holds is safe for
// concurrent use.
type Holding interface {
	Holds(path string, sum [sha256.Size]byte) bool
}

// ValidPath reports whether p can be the path of a file in a tree: a relative path in UTF-8 that no system resolves
// outside its folder. It must not contain a backslash or begin with a drive. Other characters that some systems cannot
// store are allowed, because authors use colons and question marks in the names of pages. URLs contain them
// percent-encoded (decision 47).
func ValidPath(p string) bool {
	return p != "." && fs.ValidPath(p) && len(p) <= 1024 && !drive(p) && !strings.ContainsFunc(p, func(r rune) bool {
		return r == '\\' || r == unicode.ReplacementChar || unicode.IsControl(r)
	})
}

// drive reports whether a path begins with a letter and a colon. Windows interprets it as a path on that drive: an
// absolute path if a slash follows the colon, otherwise a path relative to the drive's current folder.
func drive(p string) bool {
	return len(p) > 1 && p[1] == ':' && ('a' <= p[0] && p[0] <= 'z' || 'A' <= p[0] && p[0] <= 'Z')
}

// check validates a file. Every sink calls it first.
func check(ctx context.Context, f File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !ValidPath(f.Path) {
		return fmt.Errorf("put file: invalid path %q", f.Path)
	}
	return nil
}

// ContentType returns the media type of a file by its extension. It uses a built-in list. With the system's list, the
// same site would differ from host to host. Unknown types are application/octet-stream.
func ContentType(name string) string {
	switch name { // well-known names without extension
	case ".well-known/api-catalog":
		return `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
	case ".well-known/mcp", ".well-known/apple-app-site-association":
		return "application/json"
	}
	ext := strings.ToLower(path.Ext(name))
	if t, ok := contentType(ext); ok {
		return t
	}
	return "application/octet-stream"
}

// Compressible reports whether content of a media type is text, which gzip makes smaller. Images and archives are
// already compressed.
func Compressible(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	switch t {
	case "application/json", "application/javascript", "application/xml", "application/wasm",
		"application/manifest+json", "application/linkset+json":
		return true
	}
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "+xml")
}

func contentType(ext string) (string, bool) {
	switch ext {
	case ".html":
		return "text/html; charset=utf-8", true
	case ".md", ".mdx":
		return "text/markdown; charset=utf-8", true
	case ".css":
		return "text/css; charset=utf-8", true
	case ".js":
		return "text/javascript; charset=utf-8", true
	case ".txt":
		return "text/plain; charset=utf-8", true
	case ".csv":
		return "text/csv; charset=utf-8", true
	case ".xml":
		return "application/xml", true
	case ".json", ".map":
		return "application/json", true
	case ".yaml", ".yml":
		return "application/yaml", true
	case ".pdf", ".zip", ".wasm":
		return "application/" + ext[1:], true
	case ".gz", ".tgz":
		return "application/gzip", true
	}
	return mediaType(ext)
}

func mediaType(ext string) (string, bool) {
	switch ext {
	case ".svg":
		return "image/svg+xml", true
	case ".jpg", ".jpeg":
		return "image/jpeg", true
	case ".ico":
		return "image/x-icon", true
	case ".png", ".gif", ".webp", ".avif", ".bmp", ".apng":
		return "image/" + ext[1:], true
	case ".mp4", ".webm", ".ogv":
		return "video/" + strings.Replace(ext[1:], "ogv", "ogg", 1), true
	case ".mov":
		return "video/quicktime", true
	case ".mp3":
		return "audio/mpeg", true
	case ".wav", ".ogg", ".m4a":
		return "audio/" + strings.Replace(ext[1:], "m4a", "mp4", 1), true
	case ".woff", ".woff2", ".ttf", ".otf":
		return "font/" + ext[1:], true
	}
	return "", false
}

// packed reports whether content of a media type is already compressed.
func packed(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	kind, sub, _ := strings.Cut(t, "/")
	switch kind {
	case "image":
		return sub != "svg+xml" && sub != "bmp" && sub != "x-icon"
	case "video", "audio":
		return sub != "wav"
	}
	return t == "font/woff2" || t == "font/woff" || t == "application/zip" || t == "application/gzip"
}
