package build

import (
	"context"
	"encoding/json"
	"fmt"
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

// styles returns the style sheets that every page loads.
func (b *builder) styles() []string {
	if !b.opt.Offers.Assistant.On {
		return theme.Styles()
	}
	return slices.Concat(theme.Styles(), theme.AskStartStyles())
}

// entry returns the entry module of the script that every page loads.
func (b *builder) entry() string {
	if !b.opt.Offers.Assistant.On {
		return theme.Script
	}
	return theme.ScriptWithAssistant
}

// prepareAssistant adds the files that a page loads when a reader opens the assistant.
func (b *builder) prepareAssistant(a *layout.Assets) error {
	o := b.opt.Offers.Assistant
	if !o.On {
		return nil
	}
	script, err := b.tools.front.script(theme.Assistant, nil)
	if err != nil {
		return err
	}
	style, err := b.tools.front.sheet(theme.AssistantStyles())
	if err != nil {
		return err
	}
	a.Assistant = layout.Assistant{Script: b.bundle.Add("assistant.js", script), Style: b.bundle.Add("assistant.css", style)}
	if o.InBrowser {
		a.Assistant.Engine, a.Assistant.Index = b.bundle.Search, searchindex.Folder+"/"+searchindex.EntryName
	}
	return nil
}

// writeWidget writes the script that shows the assistant on pages of other sites. Those pages refer to it by name, so
// the name never changes. Without a server that answers there is no widget.
func (b *builder) writeWidget(ctx context.Context) error {
	if o := b.opt.Offers.Assistant; !o.On || o.InBrowser {
		return nil
	}
	style, err := b.tools.front.sheet(theme.WidgetStyles())
	if err != nil {
		return err
	}
	quoted, err := json.Marshal(inPixels(string(style)))
	if err != nil {
		return fmt.Errorf("quote styles of the widget: %w", err)
	}
	data, err := b.tools.front.script(theme.Widget, map[string]string{"WIDGET_STYLE": string(quoted)})
	if err != nil {
		return err
	}
	name := capability.WidgetFile
	return b.w.Put(ctx, output.File{Path: name, ContentType: output.ContentType(name), Data: data})
}

// inPixels converts rem sizes to pixels: the root font size of another site is unknown.
func inPixels(css string) string {
	return rem.ReplaceAllStringFunc(css, func(size string) string {
		n, err := strconv.ParseFloat(strings.TrimSuffix(size, "rem"), 64)
		if err != nil { // such as 1.2.3rem, which browsers ignore too
			return size
		}
		return strconv.FormatFloat(n*16, 'f', -1, 64) + "px"
	})
}

var rem = regexp.MustCompile(`[0-9]*\.?[0-9]+rem\b`)
