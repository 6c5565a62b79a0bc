package build

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// writeLanguageList writes the first page of each language, on sites with several.
func writeLanguageList(ctx context.Context, w *siteWriter, nav *navigation, pages entries) error {
	var list []capability.Language
	for _, n := range nav.site.Nav {
		page := ""
		if n.Kind == site.KindLanguage {
			page = firstShown(n, pages)
		}
		if page == "" {
			continue
		}
		one := capability.Language{Tag: i18n.Tag(n.Title), Page: page}
		if nav.defaults[n] {
			list = slices.Insert(list, 0, one)
		} else {
			list = append(list, one)
		}
	}
	if len(list) < 2 {
		return nil
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return w.put(ctx, capability.LanguagesFile, append(data, '\n'))
}

// firstShown returns the first visible page below a node, or "".
func firstShown(n *site.Node, pages entries) string {
	if n.Hidden {
		return ""
	}
	if e := pages.find(n.Page); e != nil && !e.page.Hidden && e.page.Details().External == "" {
		return n.Page
	}
	for _, c := range n.Children {
		if page := firstShown(c, pages); page != "" {
			return page
		}
	}
	return ""
}

// translations groups pages that are translations of each other.
type translations struct {
	key    map[string]string           // page → the key that it shares with its translations
	groups map[string][]link.Alternate // by that key
}

// findTranslations finds translations: pages with the same path below the folder of each language. The default language
// may have no folder.
func findTranslations(nav *navigation, pages entries) translations {
	out := translations{map[string]string{}, map[string][]link.Alternate{}}
	for i := range pages {
		p := pages[i].page
		node := nav.trail(p.Path).languageNode()
		if node == nil || !nav.listed(p) {
			continue
		}
		language := node.Title
		key := strings.TrimPrefix(p.Path, language+"/")
		if key == language {
			key = "index"
		}
		out.key[p.Path] = key
		out.groups[key] = append(out.groups[key], link.Alternate{Language: i18n.Tag(language), Page: p.Path})
		if nav.defaults[node] {
			out.groups[key] = append(out.groups[key], link.Alternate{Language: "x-default", Page: p.Path})
		}
	}
	return out
}

// maxAlternates limits the translations of one page, because each page lists all the others.
const maxAlternates = 200

func (t translations) of(page string) []link.Alternate {
	group := t.groups[t.key[page]]
	if t.key[page] == "" || len(group) > maxAlternates || len(group) < 2 {
		return nil
	}
	if len(group) == 2 && group[0].Page == group[1].Page { // the page in the default language and its x-default entry
		return nil
	}
	return group
}
