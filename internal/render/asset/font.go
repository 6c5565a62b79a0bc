package asset

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// typeface is a font family that is included in the platform, as listed by tools/packweb.
type typeface struct {
	Family   string
	Also     []string
	Min, Max int // weights
	Mono     bool
	Files    []struct{ Name, Range string }
	Fallback []struct {
		Local                      []string
		Size, Ascent, Descent, Gap float64 // percent
	}
}

// The theme's own families.
const (
	textFamily = "Inter"
	codeFamily = "Geist Mono"
)

// systemSans is appended to every family: fonts that are installed on most machines.
const systemSans = `ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", Arial, sans-serif`

// lettering collects the rules and files for a site's fonts.
type lettering struct {
	site   *site.Site
	packs  fs.FS
	list   []typeface
	faces  strings.Builder
	named  map[string]bool // the author's families and files that faces already contains
	files  []output.File
	early  []string // paths of files to preload
	report *diag.List
}

// fonts writes the rules for the site's fonts. Faces have font-display: optional, so that a font that arrives late
// is not swapped in and text never moves. Pages preload fonts, and the metrics of fallback fonts are adjusted to
// take the same space.
func (b *Bundle) fonts(packs fs.FS, s *site.Site) (string, error) {
	l := &lettering{site: s, packs: packs, named: map[string]bool{}, report: &b.Findings}
	raw, err := fs.ReadFile(packs, "fonts/fonts.json")
	if err != nil {
		return "", fmt.Errorf("read list of typefaces (build with make build): %w", err)
	}
	if err := json.Unmarshal(raw, &l.list); err != nil {
		return "", fmt.Errorf("read list of typefaces: %w", err)
	}
	body, err := l.stack(s.Fonts.Body)
	if err != nil {
		return "", err
	}
	heading, err := l.stack(s.Fonts.Heading)
	if err != nil {
		return "", err
	}
	b.Fonts = slices.Clone(l.early)
	code := "var(--system-mono)"
	if own := l.find(codeFamily); own != nil {
		if code, err = l.carried(own); err != nil {
			return "", err
		}
		b.CodeFont = path.Join(Folder, "fonts", own.Files[0].Name)
	}
	b.Files = append(b.Files, l.files...)
	var out strings.Builder
	out.WriteString(l.faces.String())
	fmt.Fprintf(&out, "@layer site {\n:root { --sans: %s; --mono: %s; }\n", body, code)
	if f := s.Fonts.Heading; f.Family != "" || f.Source != "" { // otherwise the theme's font
		fmt.Fprintf(&out, ":root { --heading: %s; }\n", heading)
	}
	if w := s.Fonts.Heading.Weight; w > 0 {
		fmt.Fprintf(&out, ":root { --heading-weight: %d; }\n", w)
	}
	if w := s.Fonts.Body.Weight; w > 0 {
		fmt.Fprintf(&out, "html { font-weight: %d; }\n", w)
	}
	if heading != body {
		out.WriteString("h1, h2, h3, h4, h5, h6 { font-family: var(--heading); }\n")
	}
	out.WriteString("}\n")
	return out.String(), nil
}

// stack returns the list of font families for one font setting.
func (l *lettering) stack(f site.Font) (string, error) {
	own := l.find(f.Family)
	switch name := strings.ToLower(strings.TrimSpace(f.Family)); {
	case f.Source != "" && !remote(f.Source):
		if file := l.file(f.Source); file != "" {
			return l.fileStack(f, file), nil
		}
		l.missing("Font file not found: %q.", f.Source)
	case own != nil, name == "" && f.Source == "":
	case f.Source != "":
		l.missing("The font %q is on another host, and published pages load nothing from other hosts.", cut(f.Source))
	case slices.Contains(generic, name):
		return name + ", " + systemSans, nil
	case slices.Contains(common, name):
		return quote(strings.TrimSpace(f.Family)) + ", " + systemSans, nil
	default:
		l.missing("The font %q is not included in Lectern.", cut(f.Family))
	}
	if own == nil {
		own = l.find(textFamily)
	}
	if own == nil {
		return systemSans, nil
	}
	return l.carried(own)
}

// Families that need no file: generic CSS families, and fonts that are installed on nearly every machine.
var (
	generic = []string{"system-ui", "sans-serif", "serif", "monospace", "ui-sans-serif", "ui-serif", "ui-monospace",
		"ui-rounded"}
	common = []string{"arial", "helvetica", "helvetica neue", "georgia", "verdana", "tahoma", "trebuchet ms",
		"times new roman", "courier new", "segoe ui"}
)

func (l *lettering) missing(format string, arg string) {
	d := diag.Pos{File: l.site.File}
	l.report.Warnf(d, "font-unavailable", format+" The theme's font is used instead.", arg)
	l.report.Hint("Put its .woff2 file into the docs folder and set it as the font's source.")
}

func (l *lettering) find(name string) *typeface {
	name = strings.TrimSpace(name)
	for i := range l.list {
		t := &l.list[i]
		if strings.EqualFold(t.Family, name) ||
			slices.ContainsFunc(t.Also, func(also string) bool { return strings.EqualFold(also, name) }) {
			return t
		}
	}
	return nil
}

// carried writes the font faces of an included family and its fallbacks.
func (l *lettering) carried(t *typeface) (string, error) {
	stack := quote(t.Family)
	for i := range t.Fallback {
		stack += ", " + quote(standIn(t, i))
	}
	if t.Mono {
		stack += ", var(--system-mono)"
	} else {
		stack += ", " + systemSans
	}
	if l.named[t.Family] {
		return stack, nil
	}
	l.named[t.Family] = true
	for i, f := range t.Files {
		data, err := fs.ReadFile(l.packs, "fonts/"+f.Name)
		if err != nil {
			return "", fmt.Errorf("read typeface: %w", err)
		}
		at := path.Join(Folder, "fonts", f.Name)
		l.files = append(l.files,
			output.File{Path: at, ContentType: output.ContentType(at), Data: data, Immutable: true})
		if i == 0 {
			l.early = append(l.early, at)
		}
		fmt.Fprintf(&l.faces,
			"@font-face { font-family: %s; font-weight: %d %d; font-display: optional; src: url(fonts/%s) format(\"woff2\"); unicode-range: %s; }\n",
			quote(t.Family), t.Min, t.Max, f.Name, f.Range)
	}
	for i, f := range t.Fallback {
		// a synthetic bold would look blurred
		for _, weight := range []struct{ style, css string }{{"", ""}, {" Bold", " font-weight: 600 900;"}} {
			var local []string
			for _, name := range f.Local {
				local = append(local, "local("+quote(name+weight.style)+")")
			}
			fmt.Fprintf(&l.faces,
				"@font-face { font-family: %s;%s src: %s; size-adjust: %g%%; ascent-override: %g%%; descent-override: %g%%; line-gap-override: %g%%; }\n",
				quote(standIn(t, i)), weight.css, strings.Join(local, ", "), f.Size, f.Ascent, f.Descent, f.Gap)
		}
	}
	return stack, nil
}

func standIn(t *typeface, i int) string { return fmt.Sprintf("%s Stand-in %d", t.Family, i+1) }
