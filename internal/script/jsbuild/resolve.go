package jsbuild

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Limits of one bundle. Real sites have files of at most 60 kB, and pages that import at most 20 files.
const (
	maxFile  = 1 << 20
	maxFiles = 500
)

var (
	errMissing = errors.New("no such file in the docs folder")
	errOutside = errors.New("the path points outside the docs folder")
	errPackage = errors.New("it is an npm package")
)

// suffixes are tried in this order when an import leaves out the extension or names a folder.
var suffixes = []string{"", ".jsx", ".tsx", ".js", ".ts", ".mdx", ".md", ".json",
	"/index.jsx", "/index.tsx", "/index.js", "/index.ts", "/index.mdx"}

// find resolves an import to a path in the docs folder. from is the folder of the importing file. It calls asked
// with every file name that it tries.
func (b *Builder) find(spec, from string, asked func(name string)) (string, error) {
	spec, _, _ = strings.Cut(spec, "?")
	target, ok := "", true
	switch {
	case strings.HasPrefix(spec, "/"):
		target = path.Clean(spec[1:])
	case strings.HasPrefix(spec, "./"), strings.HasPrefix(spec, "../"), spec == ".", spec == "..":
		target = path.Join(from, spec)
	case strings.HasPrefix(spec, "@/"), strings.HasPrefix(spec, "~/"):
		target = path.Clean(spec[2:])
	default: // "snippets/x.jsx" is a file in the docs folder if there is one, otherwise a package
		target, ok = path.Clean(spec), false
	}
	if target == ".." || strings.HasPrefix(target, "../") {
		return "", errOutside
	}
	for _, suffix := range suffixes {
		name := strings.TrimPrefix(target+suffix, "./")
		asked(name)
		if info, err := fs.Stat(b.docs, name); err == nil && info.Mode().IsRegular() {
			return name, nil
		}
	}
	if !ok {
		return "", errPackage
	}
	return "", errMissing
}

// read returns a file of the docs folder. It caches contents and errors. This is correct because a builder works on one
// snapshot.
func (b *Builder) read(name string) readFile {
	b.mu.Lock()
	got, ok := b.files[name]
	b.mu.Unlock()
	if ok {
		return got
	}
	got.text, got.err = b.load(name)
	got.defines = defined(got.text)
	b.mu.Lock()
	b.files[name] = got
	b.mu.Unlock()
	return got
}

func (b *Builder) load(name string) (string, error) {
	f, err := b.docs.Open(name)
	if err != nil {
		return "", fmt.Errorf("open module: %w", err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", fmt.Errorf("read module: %w", err)
	}
	if len(body) > maxFile {
		return "", fmt.Errorf("the file is larger than %d kB", maxFile>>10)
	}
	return strings.TrimPrefix(string(body), "\ufeff"), nil
}
