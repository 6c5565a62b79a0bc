package rename

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// redirectList is the site's list of redirects, together with the file that contains it.
type redirectList struct {
	*siteEdit
	list *jsontree.Value // nil: there is no list yet
	gone map[int]bool    // removed items
	now  map[string]bool // sources of the rules that remain
}

// findRedirects finds the list of redirects, which may be in a file included by $ref.
func findRedirects(open map[string]*siteEdit, main string) *redirectList {
	e := open[main]
	r := &redirectList{siteEdit: e, gone: map[int]bool{}, now: map[string]bool{}}
	v := e.root.Get("redirects")
	for range len(open) {
		ref := v.Get("$ref").Text()
		if ref == "" {
			break
		}
		name := path.Join(path.Dir(r.name), ref)
		if strings.HasPrefix(ref, "/") {
			name = path.Clean(ref)[1:]
		}
		part := open[name]
		if part == nil {
			break
		}
		r.siteEdit, v = part, part.root
	}
	if v.Is(jsontree.List) {
		r.list = v
	}
	return r
}

// rules calls f for each redirect in the list.
func (r *redirectList) rules(f func(i int, rule *jsontree.Value, source, destination string)) {
	if r.list == nil {
		return
	}
	for i, rule := range r.list.Items {
		if source, to := rule.Get("source"), rule.Get("destination"); source.Is(jsontree.String) &&
			to.Is(jsontree.String) {
			f(i, rule, source.Str, to.Str)
		}
	}
}

// update changes the destinations of rules to the new paths, and removes rules whose source is now a page. A rule whose
// source is the old path of a page had no effect before the move, but has one now. If redirect is set, the destination
// of such a rule becomes the new path.
func (r *redirectList) update(redirect bool) {
	taken, freed := map[string]bool{}, map[string]string{}
	for old, page := range r.p.pages {
		taken[address(page)], freed[address(old)] = true, address(page)
	}
	r.rules(func(i int, rule *jsontree.Value, source, destination string) {
		clean := path.Clean("/" + source)
		if taken[clean] {
			r.gone[i] = true
			return
		}
		if to, ok := freed[clean]; ok && redirect {
			r.edits = append(r.edits, write.Edit{Span: r.span(rule.Get("destination")), Text: quote(to)})
		} else if to, ok := r.p.siteRef(destination); ok && !link.Wildcard(destination) {
			r.edits = append(r.edits, write.Edit{Span: r.span(rule.Get("destination")), Text: quote(to)})
		} else if to, ok := r.wildcard(destination); ok {
			r.edits = append(r.edits, write.Edit{Span: r.span(rule.Get("destination")), Text: quote(to)})
		}
		r.now[clean] = true
	})
	r.remove()
}

// wildcard replaces the moved folder in a destination with a wildcard.
func (r *redirectList) wildcard(destination string) (string, bool) {
	old := "/" + r.p.old
	if r.p.old == "" || !link.Wildcard(destination) || !strings.HasPrefix(destination, old+"/") {
		return destination, false
	}
	return "/" + r.p.new + strings.TrimPrefix(destination, old), true
}

// remove deletes items, each with the comma before it or, if no earlier item remains, the comma after it.
func (r *redirectList) remove() {
	if len(r.gone) == 0 {
		return
	}
	items := r.list.Items
	var edits []write.Edit
	kept := false // an earlier item remains
	for i := range items {
		if !r.gone[i] {
			kept = true
			continue
		}
		span := r.span(items[i])
		if kept {
			span.Start = r.span(items[i-1]).End
		} else if next := r.Blank(span.End); next < len(r.src) && r.src[next] == ',' {
			span.End = next + 1
		}
		edits = append(edits, write.Edit{Span: span})
	}
	r.edits = append(slices.DeleteFunc(r.edits, func(e write.Edit) bool { // edits inside deleted items are not needed
		return slices.ContainsFunc(edits,
			func(cut write.Edit) bool { return e.Span.Start >= cut.Span.Start && e.Span.End <= cut.Span.End })
	}), edits...)
}

// address returns a page's public path.
func address(page string) string {
	if page == "index" {
		return "/"
	}
	return "/" + strings.TrimSuffix(page, "/index")
}

// add adds redirects from the old paths to the new ones: one rule for a whole folder, otherwise one rule for each page.
func (r *redirectList) add() {
	var rules [][2]string
	if r.p.old != "" && len(r.p.pages) > 1 && !r.stays() {
		rules = append(rules, [2]string{"/" + r.p.old + "/:slug*", "/" + r.p.new + "/:slug*"})
	} else {
		for _, page := range slices.Sorted(maps.Keys(r.p.pages)) {
			if from, to := address(page), address(r.p.pages[page]); from != to && from != "/" {
				rules = append(rules, [2]string{from, to})
			}
		}
	}
	rules = slices.DeleteFunc(rules, func(rule [2]string) bool { return r.now[rule[0]] })
	if len(rules) > 0 {
		r.append(rules)
	}
}

// stays reports whether the folder contains a page that does not move, such as a generated page.
func (r *redirectList) stays() bool {
	for page := range r.p.present {
		if strings.HasPrefix(page+"/", r.p.old+"/") && r.p.pages[page] == "" {
			return true
		}
	}
	return false
}

// append writes rules after the last existing rule, with the same formatting.
func (r *redirectList) append(rules [][2]string) {
	eol := "\n"
	if strings.Contains(r.src, "\r\n") {
		eol = "\r\n"
	}
	if r.list == nil || len(r.list.Items) == 0 {
		r.first(rules, eol)
		return
	}
	last := r.list.Items[len(r.list.Items)-1]
	span := r.span(last)
	space, alone := r.Indent(span.Start)
	var b strings.Builder
	for _, rule := range rules {
		if b.WriteString(","); alone {
			b.WriteString(eol + space)
		} else {
			b.WriteString(" ")
		}
		b.WriteString(object(rule, r.src[span.Start:span.End], space, eol))
	}
	text := b.String()
	if len(r.gone) == len(r.list.Items) { // no existing item remains, so the new rules are the first items
		text = text[1:]
	}
	r.edits = append(r.edits, insertAt(span.End, text))
}

// object formats a rule in the same way as an existing rule.
func object(rule [2]string, like, space, eol string) string {
	source, destination := quote(rule[0]), quote(rule[1])
	if !strings.Contains(like, "\n") {
		if strings.HasPrefix(like, "{ ") {
			return `{ "source": ` + source + `, "destination": ` + destination + " }"
		}
		return `{"source": ` + source + `, "destination": ` + destination + "}"
	}
	inner := space + "  "
	if line := strings.SplitN(like, "\n", 3)[1]; strings.TrimLeft(line, " \t") != "" {
		inner = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	}
	return "{" + eol + inner + `"source": ` + source + "," + eol + inner + `"destination": ` + destination + eol +
		space + "}"
}

// first writes the first rules: into an empty list, or as a new key at the end of the site file.
func (r *redirectList) first(rules [][2]string, eol string) {
	unit := "  "
	if len(r.root.Members) > 0 {
		if space, alone := r.Indent(r.Offset(r.root.Members[0].Line, r.root.Members[0].Column)); alone && space != "" {
			unit = space
		}
	}
	var b strings.Builder
	b.WriteString("[")
	for i, rule := range rules {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(eol + unit + unit + object(rule, "{ ", "", eol))
	}
	b.WriteString(eol + unit + "]")
	if r.list != nil {
		r.edits = append(r.edits, write.Edit{Span: r.span(r.list), Text: b.String()})
		return
	}
	if n := len(r.root.Members); n > 0 {
		end := r.span(r.root.Members[n-1].Value).End
		r.edits = append(r.edits, insertAt(end, ","+eol+unit+`"redirects": `+b.String()))
		return
	}
	r.edits = append(r.edits, write.Edit{Span: ast.Span{Start: 0, End: len(r.src)},
		Text: "{" + eol + unit + `"redirects": ` + b.String() + eol + "}" + eol})
}
