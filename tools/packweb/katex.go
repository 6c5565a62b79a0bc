package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// fontSource matches a font's woff2 source in KaTeX's style sheet. Every browser that supports our pages supports
// woff2.
var (
	fontSource  = regexp.MustCompile(`url\(fonts/([A-Za-z0-9_-]+)\.woff2\) ?format\("woff2"\)`)
	otherSource = regexp.MustCompile(`,url\(fonts/[A-Za-z0-9_-]+\.(?:woff|ttf)\) ?format\("[a-z]+"\)`)
)

// katex packs the typesetter for the server's JavaScript engine, and its style sheet and fonts for pages.
func (p *packing) katex() error {
	err := p.bundle("katex.js", p.minified(`import katex from "katex"; globalThis.katex = katex;`))
	if err != nil {
		return err
	}
	css, err := p.read("katex", "dist/katex.min.css")
	if err != nil {
		return err
	}
	sheet, err := p.fonts(otherSource.ReplaceAllString(string(css), ""))
	if err != nil {
		return err
	}
	return p.add("katex/katex.css", []byte(sheet))
}

// fonts packs the fonts used by a style sheet, with content hashes in their names, and returns the sheet with the new
// names.
func (p *packing) fonts(css string) (string, error) {
	var wrong []error
	sheet := fontSource.ReplaceAllStringFunc(css, func(source string) string {
		name := fontSource.FindStringSubmatch(source)[1]
		font, err := p.read("katex", "dist/fonts/"+name+".woff2")
		if err != nil {
			wrong = append(wrong, err)
			return ""
		}
		sum := sha256.Sum256(font)
		file := name + "." + hex.EncodeToString(sum[:5]) + ".woff2"
		p.files["katex/"+file] = font
		return `url(` + file + `) format("woff2")`
	})
	if strings.Contains(sheet, "url(fonts/") || !strings.Contains(sheet, ".woff2") {
		wrong = append(wrong, fmt.Errorf("KaTeX's style sheet refers to its fonts in a new way: see fontSource"))
	}
	return sheet, errors.Join(wrong...)
}
