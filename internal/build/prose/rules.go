package prose

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/safefile"
)

// rulesError is the reason why the rules of a repository cannot be used.
type rulesError struct{ text string }

func (e *rulesError) Error() string { return e.text }

// rules copies a configuration and its styles.
func (c copier) rules(ctx context.Context, config string) error {
	text, err := safefile.Read(c.from, config, maxConfig)
	if err != nil {
		return &rulesError{"its configuration cannot be read"}
	}
	settings := parseSettings(string(text))
	// A later section with the same name extends an earlier one.
	if !settings.formatMDX {
		text = append(text, "\n[formats]\nmdx = md\n"...)
	}
	if err := c.write(config, text); err != nil {
		return err
	}
	if settings.styles == "" {
		return nil
	}
	folder := path.Clean(filepath.ToSlash(settings.styles))
	if !filepath.IsLocal(filepath.FromSlash(folder)) || folder == "." {
		return &rulesError{fmt.Sprintf("StylesPath is %q, which is not a folder next to the configuration", oneLine(settings.styles))}
	}
	return c.styles(ctx, folder)
}

// styles copies the folder with styles and vocabularies.
func (c copier) styles(ctx context.Context, folder string) error {
	files, size := 0, 0
	return fs.WalkDir(c.from, folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist) && name == folder:
			return nil // Vale reports which style is missing
		case err != nil:
			return &rulesError{"the StylesPath folder cannot be read"}
		case !d.Type().IsRegular():
			return nil
		}
		data, err := safefile.Read(c.from, name, maxStyle)
		if err != nil {
			return &rulesError{fmt.Sprintf("%s cannot be read, or is larger than %d MB", oneLine(name), maxStyle>>20)}
		}
		files, size = files+1, size+len(data)
		if files > maxStyleFiles || size > maxStyles {
			return &rulesError{"the StylesPath folder is too large"}
		}
		return c.write(name, data)
	})
}

// settings are the parts of a configuration that determine what is copied.
type settings struct {
	styles    string // StylesPath
	formatMDX bool   // there is a format for MDX
}

// parseSettings reads lines of an INI file.
func parseSettings(text string) (s settings) {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			section = strings.Trim(line, "[] ")
			continue
		}
		at := strings.IndexAny(line, "=:")
		if at < 0 || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		key, value := line[:at], line[at+1:]
		for _, comment := range []string{" #", " ;"} {
			value, _, _ = strings.Cut(value, comment)
		}
		switch key = strings.TrimSpace(key); {
		case section == "" && key == "StylesPath":
			s.styles = strings.Trim(strings.TrimSpace(value), `"'`)
		case section == "formats" && key == "mdx":
			s.formatMDX = true
		}
	}
	return s
}
