package build

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/render/asset"
	"github.com/lectern-docs/lectern/internal/render/layout"
	"github.com/lectern-docs/lectern/web/theme"
)

// addAssistant adds the files that a page loads when a reader opens the assistant. It returns the zero value if
// there is no assistant.
func addAssistant(to *asset.Bundle, front *frontEnd, o capability.Assistant) (a layout.Assistant, err error) {
	if !o.On {
		return a, nil
	}
	script, err := front.script(theme.Assistant, nil)
	if err != nil {
		return a, err
	}
	style, err := front.sheet(theme.AssistantStyles())
	if err != nil {
		return a, err
	}
	a.Quotes = o.Quoting()
	a.Script, a.Style = to.Add("assistant.js", script), to.Add("assistant.css", style)
	if o.InBrowser {
		a.Engine, a.Index = to.Search, searchindex.Folder+"/"+searchindex.EntryName
	}
	return a, nil
}

// writeWidget writes the script that shows the assistant on pages of other sites. Those pages refer to it by name, so
// the name never changes. It writes nothing if no server answers questions.
func writeWidget(ctx context.Context, w *siteWriter, front *frontEnd, o capability.Assistant) error {
	if !o.On || o.InBrowser {
		return nil
	}
	data, err := front.script(theme.Widget, func() (map[string]string, error) {
		style, err := front.sheet(theme.WidgetStyles())
		if err != nil {
			return nil, err
		}
		quoted, err := json.Marshal(inPixels(string(style)))
		if err != nil {
			return nil, fmt.Errorf("quote styles of the widget: %w", err)
		}
		return map[string]string{"WIDGET_STYLE": string(quoted)}, nil
	})
	if err != nil {
		return err
	}
	return w.put(ctx, capability.WidgetFile, data)
}

// inPixels converts rem sizes to pixels, because the root font size of another site is unknown.
func inPixels(css string) string {
	return rem.ReplaceAllStringFunc(css, func(size string) string {
		n, err := strconv.ParseFloat(strings.TrimSuffix(size, "rem"), 64)
		if err != nil { // such as 1.2.3rem, which browsers ignore too
			return size
		}
		return strconv.FormatFloat(n*16, 'f', -1, 64) + "px"
	})
}

var rem = lazyregexp.New(`[0-9]*\.?[0-9]+rem\b`)
