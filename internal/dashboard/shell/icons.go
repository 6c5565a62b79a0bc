package shell

import (
	"fmt"
	"html/template"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/htmlbuf"
	"github.com/lectern-docs/lectern/internal/render/icon"
	"github.com/lectern-docs/lectern/web/npm"
)

// icons renders page icons from the library that sites use too. Each icon is rendered once.
type icons struct {
	set   *icon.Set // nil if the program was built without icons: pages then contain only text
	drawn sync.Map  // name → template.HTML
}

func newIcons() *icons {
	all, err := icon.Open(npm.FS())
	if err != nil {
		return &icons{}
	}
	return &icons{set: all.Set(icon.Lucide)}
}

// draw returns an icon as SVG, hidden from screen readers because the text next to it has the same meaning. "" draws
// nothing.
func (i *icons) draw(name string) (template.HTML, error) {
	if i.set == nil || name == "" {
		return "", nil
	}
	if got, ok := i.drawn.Load(name); ok {
		return got.(template.HTML), nil
	}
	var b htmlbuf.Buffer
	if !i.set.WriteIcon(&b, name, "") {
		return "", fmt.Errorf("there is no icon %q", name)
	}
	got := template.HTML(b.Bytes()) // rendered by our own library from a name in a template
	i.drawn.Store(name, got)
	return got, nil
}
