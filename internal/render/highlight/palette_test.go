package highlight

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
)

var update = flag.Bool("update", false, "write palettes.txt anew")

// paletteTokens maps each class to the token type whose colour it gets.
var paletteTokens = map[string]chroma.TokenType{
	"k": chroma.Keyword, "t": chroma.NameClass, "f": chroma.NameFunction, "b": chroma.NameBuiltin,
	"v": chroma.NameAttribute,
	"s": chroma.LiteralString, "e": chroma.LiteralStringEscape, "n": chroma.LiteralNumber, "c": chroma.Comment,
	"m": chroma.NameTag,
	"o": chroma.Operator, "h": chroma.GenericHeading, "gi": chroma.GenericInserted, "gd": chroma.GenericDeleted,
}

func TestPalettesMatchChroma(t *testing.T) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(styles.Registry)) {
		style := styles.Registry[name]
		ground := style.Get(chroma.Background)
		paper, ink := ground.Background, ground.Colour
		if !paper.IsSet() {
			paper = chroma.MustParseColour("#ffffff")
		}
		if text := style.Get(chroma.Text); text.Colour.IsSet() {
			ink = text.Colour
		}
		kind := "light"
		if paper.Brightness() < 0.5 {
			kind = "dark"
		}
		if !ink.IsSet() {
			ink = chroma.MustParseColour(map[string]string{"light": "#000000", "dark": "#ffffff"}[kind])
		}
		fmt.Fprintf(&b, "%s %s %s %s", name, kind, paper, ink)
		for _, class := range slices.Sorted(maps.Keys(paletteTokens)) {
			if e := style.Get(paletteTokens[class]); e.Colour.IsSet() {
				fmt.Fprintf(&b, " %s=%s", class, e.Colour)
			}
		}
		b.WriteByte('\n')
	}
	if *update {
		if err := os.WriteFile("palettes.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != palettes {
		t.Error("the library's styles changed: run the test with -update")
	}
}

func TestEveryPaletteHasColoursForItsClasses(t *testing.T) {
	for _, name := range Palettes() {
		p, ok := FindPalette(name)
		if !ok {
			t.Errorf("%s is listed but not found", name)
			continue
		}
		for class, color := range p.Class {
			if _, known := paletteTokens[class]; !known || len(color) != 7 || color[0] != '#' {
				t.Errorf("%s: %s=%s", name, class, color)
			}
		}
		if len(p.Ground) != 7 || len(p.Ink) != 7 {
			t.Errorf("%s: %s on %s", name, p.Ink, p.Ground)
		}
	}
	if p, ok := FindPalette(" GitHub-Dark-Default"); !ok || !p.Dark {
		t.Errorf("found %v %v", p, ok)
	}
	if _, ok := FindPalette("no-such"); ok {
		t.Error("found a palette that does not exist")
	}
}
