package highlight

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Palette is a colour scheme for code: hexadecimal colours by class name, see class.go.
type Palette struct {
	Dark   bool
	Ground string // background
	Ink    string // colour of text without a class
	Class  map[string]string
}

// palettes has one colour scheme per line: name, light or dark, ground, ink, then class=colour. A test with -update
// generates it from the styles of the highlighting library, so that the program does not have to parse them at every
// start.
//
//go:embed palettes.txt
var palettes string

// morePalettes contains schemes that authors use but the library lacks.
const morePalettes = `
dark-plus dark #1e1e1e #d4d4d4 k=#569cd6 t=#4ec9b0 f=#dcdcaa b=#4fc1ff v=#9cdcfe s=#ce9178 e=#d7ba7d n=#b5cea8 c=#6a9955 m=#569cd6 o=#d4d4d4 h=#569cd6 gi=#b5cea8 gd=#ce9178
light-plus light #ffffff #000000 k=#0000ff t=#267f99 f=#795e26 b=#0070c1 v=#001080 s=#a31515 e=#ee0000 n=#098658 c=#008000 m=#800000 o=#000000 h=#800000 gi=#098658 gd=#a31515
one-light light #fafafa #383a42 k=#a626a4 t=#c18401 f=#4078f2 b=#986801 v=#e45649 s=#50a14f e=#0184bc n=#986801 c=#a0a1a7 m=#e45649 o=#383a42 h=#e45649 gi=#50a14f gd=#e45649
vesper dark #101010 #ffffff k=#a0a0a0 t=#ffc799 f=#ffc799 b=#ffc799 v=#ffffff s=#99ffe4 e=#a0a0a0 n=#ffc799 c=#8b8b8b m=#ffc799 o=#a0a0a0 h=#ffc799 gi=#99ffe4 gd=#ff8080
min-light light #ffffff #24292e k=#d32f2f t=#6f42c1 f=#6f42c1 b=#1976d2 v=#24292e s=#22863a e=#22863a n=#1976d2 c=#7a818b m=#22863a o=#d32f2f h=#1976d2 gi=#22863a gd=#d32f2f
min-dark dark #1f1f1f #b392f0 k=#f97583 t=#b392f0 f=#b392f0 b=#79b8ff v=#79b8ff s=#ffab70 e=#ffab70 n=#f8f8f8 c=#8b8b8b m=#ffab70 o=#f97583 h=#79b8ff gi=#85e89d gd=#f97583
`

// standIns maps names of schemes from another highlighter to the most similar scheme.
var standIns = map[string]string{
	"github-light": "github", "github-light-default": "github", "github-light-high-contrast": "github",
	"github-dark-default": "github-dark", "github-dark-dimmed": "github-dark",
	"github-dark-high-contrast": "github-dark",
	"dracula-soft":              "dracula", "one-dark-pro": "onedark", "tokyo-night": "tokyonight-night",
	"monokai-pro":       "monokai",
	"gruvbox-dark-hard": "gruvbox", "gruvbox-dark-medium": "gruvbox", "gruvbox-dark-soft": "gruvbox",
	"gruvbox-light-hard": "gruvbox-light", "gruvbox-light-medium": "gruvbox-light",
	"gruvbox-light-soft": "gruvbox-light",
	"snazzy-light":       "one-light", "slack-ochin": "light-plus", "vitesse-light": "min-light",
	"catppuccin-light": "catppuccin-latte",
	"everforest-light": "gruvbox-light", "material-theme-lighter": "one-light", "ayu-light": "one-light",
	"slack-dark": "dark-plus", "vitesse-dark": "vesper", "vitesse-black": "vesper", "everforest-dark": "evergarden",
	"houston":        "tokyonight-night",
	"material-theme": "onedark", "material-theme-darker": "onedark", "material-theme-ocean": "onedark",
	"material-theme-palenight": "onedark",
	"ayu-dark":                 "onedark", "ayu-mirage": "onedark", "night-owl": "tokyonight-night",
	"poimandres": "tokyonight-storm", "andromeeda": "monokai",
	"synthwave-84": "dracula", "laserwave": "dracula", "aurora-x": "tokyonight-night", "plastic": "onedark",
	"red": "monokai",
}

var palettesByName = sync.OnceValue(func() map[string]Palette {
	all := map[string]Palette{}
	for line := range strings.Lines(palettes + morePalettes) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		p := Palette{Dark: f[1] == "dark", Ground: f[2], Ink: f[3], Class: map[string]string{}}
		for _, pair := range f[4:] {
			class, color, _ := strings.Cut(pair, "=")
			p.Class[class] = color
		}
		all[f[0]] = p
	}
	return all
})

// FindPalette finds a colour scheme by its name. ok is false if there is no such scheme.
func FindPalette(name string) (p Palette, ok bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if other, known := standIns[name]; known {
		name = other
	}
	p, ok = palettesByName()[name]
	return p, ok
}

// Palettes returns all names, sorted.
func Palettes() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(palettesByName())), maps.Keys(standIns))
	slices.Sort(names)
	return names
}
