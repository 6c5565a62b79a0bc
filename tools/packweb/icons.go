package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// icon is a drawing, or an alias of another icon.
type icon struct {
	name, style string
	viewBox     string // "" = "0 0 24 24"
	body        string // elements inside <svg>
	of          string // name of the icon that this is an alias of
}

// addIcons packs a library.
func (p *packing) addIcons(library string, icons []icon) error {
	text, err := lines(icons)
	if err != nil {
		return fmt.Errorf("pack %s: %w", library, err)
	}
	return p.add("icons/"+library+".txt", []byte(text))
}

// lines writes icons in order, one per line: name TAB style TAB viewBox TAB body, or name TAB style TAB "=" TAB other
// name. internal/render/icon reads them. Identical drawings are stored once.
func lines(icons []icon) (string, error) {
	slices.SortFunc(icons, func(a, b icon) int { return strings.Compare(a.name+"\t"+a.style, b.name+"\t"+b.style) })
	names, drawn := map[string]bool{}, map[string]string{}
	for _, i := range icons {
		names[i.name] = true
	}
	var b strings.Builder
	for _, i := range icons {
		if i.of == "" {
			key := i.style + "\t" + i.viewBox + "\t" + i.body
			if first, seen := drawn[key]; seen {
				i.of = first
			} else {
				drawn[key] = i.name
			}
		} else if !names[i.of] {
			return "", fmt.Errorf("%s is an alias of %s, which is missing", i.name, i.of)
		}
		if i.of != "" {
			i.viewBox, i.body = "=", i.of
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", i.name, i.style, i.viewBox, i.body)
	}
	return b.String(), nil
}

// drawings reads a folder of SVG files with strokes or fills on the root element, as in lucide and tabler.
func (p *packing) drawings(pkg, folder, style string) ([]icon, error) {
	p.used[pkg] = true
	entries, err := os.ReadDir(filepath.Join(p.modules, pkg, folder))
	if err != nil {
		return nil, fmt.Errorf("read npm package (run npm ci in web/npm): %w", err)
	}
	var icons []icon
	for _, e := range entries {
		name, isSVG := strings.CutSuffix(e.Name(), ".svg")
		if !isSVG {
			continue
		}
		raw, err := p.read(pkg, folder+"/"+e.Name())
		if err != nil {
			return nil, err
		}
		i := icon{name: name, style: style}
		if i.viewBox, i.body, err = body(string(raw)); err != nil {
			return nil, fmt.Errorf("read icon %s: %w", e.Name(), err)
		}
		if i.viewBox == "0 0 24 24" {
			i.viewBox = ""
		}
		icons = append(icons, i)
	}
	return icons, nil
}

// shapes are the permitted elements of an icon, and attributes their permitted attributes: none of them can run code,
// load anything or define a name.
var (
	shapes     = []string{"path", "circle", "ellipse", "line", "polyline", "polygon", "rect", "g"}
	attributes = []string{"d", "cx", "cy", "r", "rx", "ry", "x", "y", "x1", "y1", "x2", "y2", "width", "height",
		"points", "transform",
		"fill", "stroke", "opacity", "fill-opacity", "fill-rule", "clip-rule", "stroke-width", "stroke-linecap",
		"stroke-linejoin"}
)

// body returns the root's viewBox and its children, rewritten with only the permitted elements and attributes.
func body(svg string) (viewBox, inner string, err error) {
	var b strings.Builder
	dec := xml.NewDecoder(strings.NewReader(svg))
	for depth := 0; ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return viewBox, b.String(), nil
		} else if err != nil {
			return "", "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			if depth == 1 {
				viewBox = attribute(t, "viewBox")
				continue
			}
			if err := open(&b, t); err != nil {
				return "", "", err
			}
		case xml.EndElement:
			if depth--; depth > 0 {
				closeTag(&b, t.Name.Local)
			}
		}
	}
}

func open(b *strings.Builder, t xml.StartElement) error {
	if !slices.Contains(shapes, t.Name.Local) {
		return fmt.Errorf("unexpected element %s", t.Name.Local)
	}
	b.WriteString("<" + t.Name.Local)
	for _, a := range t.Attr {
		if !slices.Contains(attributes, a.Name.Local) {
			return fmt.Errorf("unexpected attribute %s", a.Name.Local)
		}
		if strings.ContainsAny(a.Value, `<>&"`+"\t\n") || strings.Contains(a.Value, "url(") {
			return fmt.Errorf("attribute %s has an unexpected value", a.Name.Local)
		}
		b.WriteString(" " + a.Name.Local + `="` + a.Value + `"`)
	}
	b.WriteString(">")
	return nil
}

// closeTag writes the end tag, or shortens an element that has no children to a self-closing tag.
func closeTag(b *strings.Builder, name string) {
	if name == "g" {
		b.WriteString("</g>")
		return
	}
	inner := strings.TrimSuffix(b.String(), ">")
	b.Reset()
	b.WriteString(inner + "/>")
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
