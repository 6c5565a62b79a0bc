package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const longestValue = 200 // maximum length in bytes of stored attribute values

// parts indexes the pages of a site by the elements, ids, classes and attributes that they contain. The keys of pages
// are "<h2", "#id", ".class", "[name" and "[name=value"; the values are indices into paths.
type parts struct {
	dir   string
	paths []string
	pages map[string][]int
}

// readParts reads the pages of a built site.
func readParts(dir string) (p parts, err error) {
	p = parts{dir: dir, pages: map[string][]int{}}
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "_lectern" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".html") || path == "404.html" {
			return err
		}
		page, err := fs.ReadFile(os.DirFS(dir), path)
		p.paths = append(p.paths, path)
		p.read(page)
		return err
	})
	if err != nil {
		return p, fmt.Errorf("read pages of %s: %w", dir, err)
	}
	return p, nil
}

// read adds the content of the last page in paths.
func (p *parts) read(page []byte) {
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			p.add("<" + string(name))
			for more {
				var key, value []byte
				key, value, more = tokens.TagAttr()
				p.attribute(string(key), string(value))
			}
		}
	}
}

func (p *parts) attribute(name, value string) {
	switch name {
	case "class":
		for class := range strings.FieldsSeq(value) {
			p.add("." + class)
		}
	case "id":
		p.add("#" + value)
	}
	p.add("[" + name)
	if len(value) <= longestValue && name != "class" && name != "d" {
		p.add("[" + name + "=" + value)
	}
}

func (p *parts) add(key string) {
	page := len(p.paths) - 1
	if at := p.pages[key]; len(at) == 0 || at[len(at)-1] != page {
		p.pages[strings.Clone(key)] = append(at, page)
	}
}

// with returns the pages that meet the need.
func (p *parts) with(n need) (out []int) {
	switch {
	case n.op == "":
		return p.pages[string(n.kind)+n.name]
	case n.op == "=" && n.kind == '[':
		return p.pages["["+n.name+"="+n.value]
	}
	prefix := string(n.kind)
	if n.kind == '[' {
		prefix += n.name + "="
	}
	for key, pages := range p.pages {
		if value, ok := strings.CutPrefix(key, prefix); ok && n.met(value) {
			out = append(out, pages...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// withAll returns the pages that meet all needs, ignoring needs that no page meets, because scripts may add those.
func (p *parts) withAll(needs []need) (out []int) {
	first := true
	for _, n := range needs {
		pages := p.with(n)
		switch {
		case len(pages) == 0:
			continue
		case first:
			out, first = slices.Clone(pages), false
		default:
			out = slices.DeleteFunc(out, func(page int) bool {
				_, found := slices.BinarySearch(pages, page)
				return !found
			})
		}
	}
	return out
}
