package jsbuild

import (
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Piece is a part of an author's file. At is the position of its first byte.
type Piece struct {
	Text string
	At   diag.Pos
}

// Source is the JavaScript of one MDX file.
type Source struct {
	File   string  // relative to the docs folder, with slashes: "guides/start.mdx"
	ESM    []Piece // runs of import and export statements
	Thunks []Piece // expressions; they may contain JSX and use props and slot(n)

	// Names lists the names that the statements define. Imported files may use these names without importing them, see
	// shareNames.
	Names []string
}

// Unit is the compiled code of one file. Code is an expression: a function that takes a scope and the runtime and
// defines the thunks.
type Unit struct {
	ID   string // the file name
	Code []byte // nil when the file's own statements are broken
}

// Builder compiles units of one docs folder and caches the files that it read. It is safe for concurrent use.
type Builder struct {
	docs fs.FS
	esm  func(file string) ([]Piece, error)

	mu    sync.Mutex
	files map[string]readFile
}

type readFile struct {
	text    string
	defines map[string]bool // names that the file imports or declares
	err     error
}

// New returns a Builder. esm returns the import and export statements of another MDX file, whose values pages may
// import; if it is nil, MDX files export only their content.
func New(docs fs.FS, esm func(file string) ([]Piece, error)) *Builder {
	return &Builder{docs: docs, esm: esm, files: map[string]readFile{}}
}

// Unit compiles a file for the engine. A thunk that is not valid JavaScript is reported and throws when called; the
// others work. The list includes findings about imported files. asked lists the files that were tried when resolving
// imports, whether they exist or not, in order.
func (b *Builder) Unit(src Source) (u Unit, asked []string, list diag.List) {
	names := map[string]bool{}
	code, list := b.compile(src, allThunks(len(src.Thunks)), engineScript, names)
	u.ID, asked = src.File, slices.Sorted(maps.Keys(names))
	if code != nil {
		u.Code = wrap("(", code, ")")
	}
	return u, asked, list
}

// Client compiles the given thunks of a file into a classic script for browsers that registers them with the island
// runtime. It reports no findings, since Unit has reported them. It returns nil when the file's own statements are
// broken.
func (b *Builder) Client(src Source, thunks []int) []byte {
	code, _ := b.compile(src, thunks, browserScript, map[string]bool{})
	if code == nil {
		return nil
	}
	return wrap("Lectern.unit("+quote(src.File)+",", code, ");")
}

func allThunks(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// wrap puts the bundle inside a with statement for its scope; see the package comment.
func wrap(before string, code []byte, after string) []byte {
	out := make([]byte, 0, len(code)+len(before)+len(after)+120)
	out = append(out, before...)
	out = append(out, "function(__scope,__api){with(__scope){return function(__lectern){"...)
	out = append(out, code...)
	out = append(out, "\n}(__api)}}"...)
	return append(out, after...)
}
