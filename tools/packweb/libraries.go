package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// lucide packs the Lucide icons. The library has one style, and former names are still files with the same drawing.
func (p *packing) lucide() error {
	icons, err := p.drawings("lucide-static", "icons", "")
	if err != nil {
		return err
	}
	return p.addIcons("lucide", icons)
}

func (p *packing) tabler() error {
	outline, err := p.drawings("@tabler/icons", "icons/outline", "")
	if err != nil {
		return err
	}
	filled, err := p.drawings("@tabler/icons", "icons/filled", "filled")
	if err != nil {
		return err
	}
	icons := append(outline, filled...)
	for i := range icons { // an invisible square that preserves the size in drawing programs
		icons[i].body = strings.TrimPrefix(icons[i].body, `<path stroke="none" d="M0 0h24v24H0z" fill="none"/>`)
	}
	return p.addIcons("tabler", icons)
}

// family is one entry of Font Awesome's icon-families.json: svgs by family and style.
type family struct {
	Aliases struct{ Names []string }
	SVGs    map[string]map[string]struct{ Raw string } `json:"svgs"`
}

const fontAwesomePackage = "@fortawesome/fontawesome-free"

func (p *packing) fontAwesome() error {
	raw, err := p.read(fontAwesomePackage, "metadata/icon-families.json")
	if err != nil {
		return err
	}
	var families map[string]family
	if err := json.Unmarshal(raw, &families); err != nil {
		return fmt.Errorf("read Font Awesome: %w", err)
	}
	var icons []icon
	for _, name := range slices.Sorted(maps.Keys(families)) {
		drawn, err := families[name].icons(name)
		if err != nil {
			return err
		}
		icons = append(icons, drawn...)
	}
	old, err := p.oldNames(icons)
	if err != nil {
		return err
	}
	return p.addIcons("fontawesome", append(icons, old...))
}

// icons returns an entry's drawings and its aliases.
func (f family) icons(name string) ([]icon, error) {
	var icons []icon
	for kind, styles := range f.SVGs {
		if kind != "classic" {
			return nil, fmt.Errorf("icon %s: unexpected Font Awesome family %s", name, kind)
		}
		for style, drawing := range styles {
			viewBox, inner, err := body(drawing.Raw)
			if err != nil {
				return nil, fmt.Errorf("read icon %s: %w", name, err)
			}
			icons = append(icons, icon{name: name, style: style, viewBox: viewBox,
				body: strings.ReplaceAll(inner, ` fill="currentColor"`, "")})
		}
	}
	for _, alias := range f.Aliases.Names {
		icons = append(icons, icon{name: alias, of: name})
	}
	return icons, nil
}

// oldNames reads version 4's names from shims.yml, whose entries all have this form:
//
//	old-name:
//	  prefix: far
//	  name: new-name
//
// Names that are in use today are skipped.
func (p *packing) oldNames(today []icon) ([]icon, error) {
	raw, err := p.read(fontAwesomePackage, "metadata/shims.yml")
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, i := range today {
		taken[i.name] = true
	}
	styles := map[string]string{"far": "regular", "fab": "brands", "fas": "solid"}
	var old []icon
	for line := range strings.Lines(string(raw)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch {
		case line[0] != ' ':
			key = strings.Trim(key, `'"`)
			old = append(old, icon{name: key, of: key})
		case key == "prefix":
			old[len(old)-1].style = styles[value]
		case key == "name":
			old[len(old)-1].of = strings.Trim(value, `'"`)
		default:
			return nil, fmt.Errorf("read Font Awesome's old names: unexpected entry %q", line)
		}
	}
	return slices.DeleteFunc(old, func(i icon) bool { return taken[i.name] || !taken[i.of] }), nil
}
