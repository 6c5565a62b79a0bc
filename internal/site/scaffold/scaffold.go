package scaffold

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

//go:embed all:starter
var starter embed.FS

// Options configures the site. The zero value is a site named Documentation.
type Options struct {
	Name  string
	Theme string // "" = mint
	Color string // hexadecimal; "" = the default
}

// File is one file of the site. Path uses slashes.
type File struct {
	Path string
	Data []byte
}

// Defaults of Options.
const (
	defaultName  = "Documentation"
	defaultTheme = "mint"
	defaultColor = "#0F766E"
	maxName      = 200 // characters
)

var hexColor = lazyregexp.New(`^#[0-9A-Fa-f]{6}$`)

// Files returns the site's files, sorted by path. themes are the valid theme names. If it returns an error, the error
// is a fault about an option.
func Files(opt Options, themes []string) ([]File, error) {
	if opt.Name = strings.Join(strings.Fields(opt.Name), " "); opt.Name == "" {
		opt.Name = defaultName
	}
	if len([]rune(opt.Name)) > maxName || strings.ContainsAny(opt.Name, "<>{}`\\") {
		return nil, invalid("name",
			fmt.Sprintf("The name may have at most %d characters and must not contain < > { } ` or \\.", maxName))
	}
	if opt.Theme == "" {
		opt.Theme = defaultTheme
	}
	if !slices.Contains(themes, opt.Theme) {
		return nil, invalid("theme", fmt.Sprintf("Unknown theme %q.", opt.Theme)).
			WithHint("Choose one of " + strings.Join(themes, ", ") + ".")
	}
	if opt.Color == "" {
		opt.Color = defaultColor
	}
	if !strings.HasPrefix(opt.Color, "#") {
		opt.Color = "#" + opt.Color
	}
	if !hexColor.MatchString(opt.Color) {
		return nil, invalid("color", fmt.Sprintf("%q is not a colour.", opt.Color)).
			WithHint("Write six hexadecimal digits, such as #0F766E.")
	}
	return opt.fill()
}

func invalid(field, text string) *fault.Error {
	return fault.New(fault.Invalid, "invalid_field", text).WithField(field)
}

// fill inserts the options into the template files.
func (o Options) fill() ([]File, error) {
	var name strings.Builder
	jsontree.Quote(&name, o.Name)
	quoted := name.String()
	onLight, width := wordmark(o.Name, "#0F1219")
	onDark, _ := wordmark(o.Name, "#F5F6F8")
	words := strings.NewReplacer("__NAME_JSON__", quoted, "__NAME__", o.Name, "__THEME__", o.Theme,
		"__COLOR__", o.Color, "__LIGHT__", lighter(o.Color), "__DARK__", darker(o.Color),
		"__LOGO_LIGHT__", onLight, "__LOGO_DARK__", onDark, "__LOGO_WIDTH__", width)
	var out []File
	err := fs.WalkDir(starter, "starter", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(starter, name)
		out = append(out, File{Path: strings.TrimPrefix(name, "starter/"), Data: []byte(words.Replace(string(data)))})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read starter: %w", err)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(path.Clean(a.Path), path.Clean(b.Path)) })
	return out, nil
}
