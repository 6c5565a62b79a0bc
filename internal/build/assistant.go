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

// styles are the sheets of every page.
func (b *builder) styles() []string {
	if !b.opt.Offers.Assistant.On {
		return theme.Styles()
	}
	return slices.Concat(theme.Styles(), theme.AskStartStyles())
}

// entry is where the script of every page begins.
func (b *builder) entry() string {
	if !b.opt.Offers.Assistant.On {
		return theme.Script
	}
	return theme.ScriptWithAssistant
}

// prepareAssistant adds what pages load when a reader opens the assistant.
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

// widget writes the script that shows the assistant on pages of other sites. They name it, so its name stays the same. Where no server of
// ours answers, there is none.
func (b *builder) widget(ctx context.Context) error {
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
