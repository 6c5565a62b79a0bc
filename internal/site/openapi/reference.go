package openapi

import (
	"context"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// maxQuoted limits the length of a reference in a message, in bytes.
const maxQuoted = 120

const (
	maxHops  = 32  // length of a chain of references
	maxFiles = 200 // files that one description may refer to
	maxBytes = 64 << 20
)

// target follows $ref to a value, or returns nil if the reference is broken. If v has no $ref, it returns v itself.
func (s *Spec) target(v *jsontree.Value) *jsontree.Value {
	for range maxHops {
		ref := v.Get("$ref")
		if !ref.Is(jsontree.String) {
			return v
		}
		if v = s.lookup(ref); v == nil {
			return nil
		}
	}
	return nil
}

// lookup returns the target of one reference, or nil.
func (s *Spec) lookup(ref *jsontree.Value) *jsontree.Value {
	file, pointer, _ := strings.Cut(ref.Str, "#")
	doc := ref.Doc
	if doc == nil {
		return nil
	}
	if file != "" {
		if doc = s.files[besides(doc.Name, file)]; doc == nil {
			return nil
		}
	}
	return at(doc.Root, pointer)
}

// at follows a JSON pointer.
func at(v *jsontree.Value, pointer string) *jsontree.Value {
	for piece := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if piece == "" && (pointer == "" || pointer == "/") {
			return v
		}
		if plain, err := url.PathUnescape(piece); err == nil {
			piece = plain
		}
		piece = strings.NewReplacer("~1", "/", "~0", "~").Replace(piece)
		if v.Is(jsontree.List) {
			i, err := strconv.Atoi(piece)
			if err != nil || i < 0 || i >= len(v.Items) {
				return nil
			}
			v = v.Items[i]
		} else {
			v = v.Get(piece)
		}
		if v == nil {
			return nil
		}
	}
	return v
}

// besides resolves the path of a file relative to another file. A path that starts with a slash is relative to the root
// of the docs folder.
func besides(name, file string) string {
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	if strings.HasPrefix(file, "/") {
		return strings.TrimPrefix(path.Clean(file), "/")
	}
	return path.Join(path.Dir(name), file)
}

// refName returns the last piece of a reference, which is a component's name.
func refName(v *jsontree.Value) string {
	ref := v.Get("$ref").Text()
	name := ref[strings.LastIndexAny(ref, "/#")+1:]
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
}

// checker visits every value of a description once, reads the files it refers to, and reports broken references.
type checker struct {
	loader   *Loader
	spec     *Spec
	list     *diag.List
	seen     map[*jsontree.Value]bool // objects and lists only
	reported map[string]bool
	bytes    int // total size of files read by reference
}

func (c *checker) value(ctx context.Context, v *jsontree.Value, depth int) {
	if v == nil || v.Kind < jsontree.List || c.seen[v] || depth > maxDepth || ctx.Err() != nil {
		return
	}
	c.seen[v] = true
	if ref := v.Get("$ref"); ref.Is(jsontree.String) {
		c.reference(ctx, ref)
	}
	for _, item := range v.Items {
		c.value(ctx, item, depth+1)
	}
	for _, m := range v.Members {
		switch m.Key {
		case "example", "default", "enum", "const": // the author's data, in which $ref has no special meaning
		default:
			c.value(ctx, m.Value, depth+1)
		}
	}
}

func (c *checker) reference(ctx context.Context, ref *jsontree.Value) {
	if file, _, _ := strings.Cut(ref.Str, "#"); file != "" && !c.external(ctx, ref, file) {
		return
	}
	if c.spec.lookup(ref) == nil && !c.reported[ref.Str] && len(c.reported) < 100 {
		c.reported[ref.Str] = true
		c.list.Warnf(ref.Pos(), "ref-missing", "The reference %q cannot be resolved.", clip.Bytes(ref.Str, maxQuoted))
		c.list.Hint("Define it, or correct its spelling.")
	}
}

// external reads the file that a reference names, and reports whether the file exists.
func (c *checker) external(ctx context.Context, ref *jsontree.Value, file string) bool {
	name := besides(ref.Doc.Name, file)
	if doc, known := c.spec.files[name]; known {
		return doc != nil
	}
	if Remote(file) || Remote(ref.Doc.Name) || strings.HasPrefix(name, "../") || name == ".." ||
		strings.ContainsAny(file, "\\\x00") {
		c.spec.files[name] = nil
		c.list.Warnf(ref.Pos(), "ref-outside", "The reference %q points outside the docs folder and is not followed.",
			clip.Bytes(ref.Str, maxQuoted))
		c.list.Hint("Put the file into the docs folder and refer to it there.")
		return false
	}
	if len(c.spec.files) >= maxFiles || c.bytes > maxBytes {
		c.list.Warnf(ref.Pos(), "ref-count", "The description refers to more than %d files or %d MB.", maxFiles,
			maxBytes>>20)
		return false
	}
	var doc *jsontree.Document
	if data, err := safefile.Read(c.loader.FS, name, maxFile); err != nil {
		c.list.Warnf(ref.Pos(), "ref-missing", "The reference %q points to %s, which cannot be read.",
			clip.Bytes(ref.Str, maxQuoted), name)
	} else {
		c.bytes += len(data)
		doc = parseDocument(name, data, c.list)
	}
	c.spec.files[name] = doc
	if doc == nil {
		return false
	}
	c.value(ctx, doc.Root, 0)
	return true
}
