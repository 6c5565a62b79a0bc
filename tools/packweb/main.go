package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the repository's `folder`")
	flag.Parse()
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "packweb:", err)
		os.Exit(1)
	}
}

// packing collects the files for dist.
type packing struct {
	root    string            // the repository, absolute
	modules string            // node_modules, absolute
	files   map[string][]byte // name in dist → stored bytes
	used    map[string]bool   // folders below node_modules whose content is embedded
}

func run(root string) error {
	p, err := newPacking(root)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		p.fontAwesome, p.lucide, p.tabler, p.katex, p.mermaid, p.island, p.prelude, p.typefaces, p.notices,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return p.write(filepath.Join(p.root, "web/npm/dist"))
}

func newPacking(root string) (*packing, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("find repository: %w", err)
	}
	return &packing{
		root:    root,
		modules: filepath.Join(root, "web/npm/node_modules"),
		files:   map[string][]byte{},
		used:    map[string]bool{},
	}, nil
}

// add stores a file compressed as name.gz.
func (p *packing) add(name string, data []byte) error {
	var b bytes.Buffer
	// without a time and a name, so that the output is reproducible
	zip, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("compress %s: %w", name, err)
	}
	if _, err := zip.Write(data); err != nil {
		return fmt.Errorf("compress %s: %w", name, err)
	}
	if err := zip.Close(); err != nil {
		return fmt.Errorf("compress %s: %w", name, err)
	}
	p.files[name+".gz"] = b.Bytes()
	return nil
}

// read returns a file of a package and records that the package is used.
func (p *packing) read(pkg, name string) ([]byte, error) {
	p.used[pkg] = true
	data, err := os.ReadFile(filepath.Join(p.modules, pkg, name))
	if err != nil {
		return nil, fmt.Errorf("read npm package (run npm ci in web/npm): %w", err)
	}
	return data, nil
}

// write replaces the content of dist, except the file that is in the repository.
func (p *packing) write(dist string) error {
	old, err := os.ReadDir(dist)
	if err != nil {
		return fmt.Errorf("read packed files: %w", err)
	}
	for _, e := range old {
		if _, again := p.files[e.Name()]; again || e.Name() == "README.md" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dist, e.Name())); err != nil {
			return fmt.Errorf("remove old packed file: %w", err)
		}
	}
	for name, data := range p.files {
		to := filepath.Join(dist, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("create folder: %w", err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return fmt.Errorf("write packed file: %w", err)
		}
	}
	return nil
}

// packageOf returns the folder below node_modules of a file's package, or "": a/b/node_modules/@x/y/z.js →
// a/b/node_modules/@x/y.
func packageOf(modules, file string) string {
	rel, err := filepath.Rel(modules, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	rel = filepath.ToSlash(rel)
	head, tail := "", rel
	if i := strings.LastIndex(rel, "node_modules/"); i >= 0 {
		head, tail = rel[:i+len("node_modules/")], rel[i+len("node_modules/"):]
	}
	parts := strings.SplitN(tail, "/", 3)
	if strings.HasPrefix(tail, "@") && len(parts) > 1 {
		return head + parts[0] + "/" + parts[1]
	}
	return head + parts[0]
}
