package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// typeface is one entry of fonts/fonts.json, which internal/render/asset reads.
type typeface struct {
	Family   string     `json:"family"`
	Also     []string   `json:"also,omitempty"` // other names used by authors
	Min      int        `json:"min"`            // weights
	Max      int        `json:"max"`
	Mono     bool       `json:"mono,omitempty"` // monospaced
	Files    []fontFile `json:"files"`          // plain Latin first
	Fallback []stand    `json:"fallback"`       // system fonts scaled to the same width
}

// fontFile contains the letters of some scripts.
type fontFile struct {
	Name  string `json:"name"` // in the folder fonts
	Range string `json:"range"`
}

// typefaces packs the font families that sites can use, and the fonts for drawing preview images.
func (p *packing) typefaces() error {
	list := []typeface{
		{Family: "Inter", Also: []string{"Inter Variable", "Inter var"}, Min: 100, Max: 900},
		{Family: "Geist", Also: []string{"Geist Sans", "Geist Variable"}, Min: 100, Max: 900},
		{Family: "Space Grotesk", Min: 300, Max: 700},
		{Family: "Geist Mono", Also: []string{"Geist Mono Variable"}, Min: 100, Max: 900, Mono: true},
	}
	for i := range list {
		if err := p.family(&list[i]); err != nil {
			return fmt.Errorf("pack %s: %w", list[i].Family, err)
		}
	}
	index, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("write list of typefaces: %w", err)
	}
	p.files["fonts/fonts.json"] = append(index, '\n')
	return p.cardFaces()
}

// alphabets are ordered by how likely a browser is to need them.
var alphabets = []string{"latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext"}

// lineArt is the subset with the lines and blocks that are used in folder trees and diagrams in code.
const lineArt = "symbols2"

// family packs one variable font, split by script as in its package, and measures it.
func (p *packing) family(t *typeface) error {
	id := strings.ToLower(strings.ReplaceAll(t.Family, " ", "-"))
	pkg := "@fontsource-variable/" + id
	raw, err := p.read(pkg, "unicode.json")
	if err != nil {
		return err
	}
	var ranges map[string]string
	if err := json.Unmarshal(raw, &ranges); err != nil {
		return fmt.Errorf("read ranges: %w", err)
	}
	for _, subset := range append(slices.Clone(alphabets), lineArt) {
		if ranges[subset] == "" {
			continue
		}
		data, err := p.read(pkg, "files/"+id+"-"+subset+"-wght-normal.woff2")
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		name := id + "-" + subset + "." + hex.EncodeToString(sum[:5]) + ".woff2"
		p.files["fonts/"+name] = data
		t.Files = append(t.Files, fontFile{Name: name, Range: ranges[subset]})
	}
	if t.Mono { // system monospace fonts have nearly the same width
		return nil
	}
	// This file is only measured, not embedded: it has the same glyphs in a format whose tables can be read without
	// Brotli.
	woff, err := os.ReadFile(filepath.Join(p.modules, "@fontsource", id, "files", id+"-latin-400-normal.woff"))
	if err != nil {
		return fmt.Errorf("read npm package (run npm ci in web/npm): %w", err)
	}
	t.Fallback, err = standIns(woff)
	return err
}

// cardFaces packs Inter in two weights as plain TrueType, for internal/build/ogimage.
func (p *packing) cardFaces() error {
	for _, weight := range []string{"400", "700"} {
		for _, subset := range alphabets {
			woff, err := p.read("@fontsource/inter", "files/inter-"+subset+"-"+weight+"-normal.woff")
			if err != nil {
				return err
			}
			plain, err := unwoff(woff)
			if err != nil {
				return fmt.Errorf("unpack Inter %s %s: %w", weight, subset, err)
			}
			plainKerning(plain)
			if err := p.add("card/"+weight+"-"+subset+".ttf", plain); err != nil {
				return err
			}
		}
	}
	return nil
}
