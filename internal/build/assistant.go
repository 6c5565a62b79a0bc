package build

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/web/theme"
)

// styles are the sheets of every page.
func (b *builder) styles() []string {
	if !b.opt.Offers.Assistant.On {
		return theme.Styles()
	}
	return slices.Concat(theme.Styles(), theme.AskStartStyles())
}

// scripts are those of every page.
func (b *builder) scripts() []string {
	if !b.opt.Offers.Assistant.On {
		return theme.Scripts()
	}
	return slices.Concat(theme.Scripts(), theme.AskStart())
}

// prepareAssistant adds what pages load when a reader opens the assistant.
func (b *builder) prepareAssistant(a *layout.Assets) error {
	o := b.opt.Offers.Assistant
	if !o.On {
		return nil
	}
	script, err := b.script("assistant.js", theme.Assistant())
	if err != nil {
		return err
	}
	style, err := b.sheet("assistant.css", theme.AssistantStyles())
	if err != nil {
		return err
	}
	a.Assistant = layout.Assistant{Script: b.bundle.Add("assistant.js", script), Style: b.bundle.Add("assistant.css", style)}
	if o.InBrowser {
		a.Assistant.Engine, a.Assistant.Index = b.bundle.Search, searchindex.Folder+"/"+searchindex.EntryName
	}
	return nil
}

// widget writes the script that shows the assistant on pages of other sites. They name it, so its name stays the same. Where no server of
// ours answers, there is none.
func (b *builder) widget(ctx context.Context) error {
	if o := b.opt.Offers.Assistant; !o.On || o.InBrowser {
		return nil
	}
	style, err := b.sheet("assistant-widget.css", theme.WidgetStyles())
	if err != nil {
		return err
	}
	quoted, err := json.Marshal(inPixels(string(style)))
	if err != nil {
		return fmt.Errorf("quote styles of the widget: %w", err)
	}
	text, err := joined(theme.Widget())
	if err != nil {
		return err
	}
	name := capability.WidgetFile
	whole := slices.Concat([]byte("(() => {\nconst STYLE = "), quoted, []byte(";\n"), text, []byte("})();\n"))
	data, err := b.tools.shrink(path.Base(name), whole)
	if err != nil {
		return err
	}
	return b.out.Put(ctx, output.File{Path: name, ContentType: output.ContentType(name), Data: data})
}

// inPixels writes sizes that follow the page's own text size as fixed ones: on another site nobody knows what that is.
func inPixels(css string) string {
	return rem.ReplaceAllStringFunc(css, func(size string) string {
		n, err := strconv.ParseFloat(strings.TrimSuffix(size, "rem"), 64)
		if err != nil { // such as 1.2.3rem, which browsers leave out too
			return size
		}
		return strconv.FormatFloat(n*16, 'f', -1, 64) + "px"
	})
}

var rem = regexp.MustCompile(`[0-9]*\.?[0-9]+rem\b`)

// sheet joins style sheets of the theme.
func (b *builder) sheet(name string, files []string) ([]byte, error) {
	text, err := joined(files)
	if err != nil {
		return nil, err
	}
	return b.tools.shrink(name, text)
}

// joined puts files of the theme one after the other.
func joined(files []string) ([]byte, error) {
	var text []byte
	for _, file := range files {
		data, err := fs.ReadFile(theme.FS(), file)
		if err != nil {
			return nil, fmt.Errorf("read theme: %w", err)
		}
		text = append(text, data...)
	}
	return text, nil
}
