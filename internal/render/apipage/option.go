package apipage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/render/component"
	"github.com/lectern-docs/lectern/internal/site/openapi"
)

// options writes each alternative as a row. One row is expanded.
func (p *Page) options(w *component.Writer, s *openapi.Schema, prefix string) {
	if !worthRows(s.Options) {
		return // the type contains all information
	}
	tag, values := discriminator(s)
	w.Raw(`<div class="api-options option-dropdown"><p class="api-facts"><span>`)
	w.Text(choiceWords(s))
	w.Raw(`</span>`)
	if tag != "" {
		w.Raw(` The field <code>`)
		w.Text(clip.Bytes(tag, 80))
		w.Raw(`</code> says which.`)
	}
	w.Raw(`</p>`)
	choice := w.IDs.Claim("api-choice")
	for i, o := range s.Options {
		w.Raw(`<details class="api-option"`)
		w.Attr("name", choice)
		w.Flag("open", i == 0)
		w.Raw(`><summary><span class="api-option-name">`)
		w.Text(clip.Bytes(o.Label(), 80))
		w.Raw(`</span>`)
		if t := o.Type(); t != o.Label() {
			w.Raw(` <span class="field-type">`)
			w.Text(t)
			w.Raw(`</span>`)
		}
		if values[i] != "" {
			w.Raw(` <code>`)
			w.Text(clip.Bytes(tag+": "+values[i], 120))
			w.Raw(`</code>`)
		}
		w.Raw(`</summary><div class="api-option-body flow">`)
		p.prose(w, o.Description)
		p.facts(w, o, nil)
		p.members(w, unwrap(o), prefix+"-"+strconv.Itoa(i+1))
		w.Raw(`</div></details>`)
	}
	w.Raw(`</div>`)
}

// choiceShown is the maximum number of alternatives in the introductory sentence. The rows below list all of them.
const choiceShown = 4

// choiceWords describes the alternatives in a sentence: "One of: string, or object Order."
func choiceWords(s *openapi.Schema) string {
	word := "One of"
	if s.AnyOf {
		word = "Any of"
	}
	var names []string
	for _, o := range s.Options {
		name := clip.Bytes(o.Label(), 80)
		if t := o.Type(); t != name && (t == "object" || t == "object[]") {
			name = t + " " + clip.Bytes(cmp.Or(o.Name, name), 80)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	last := len(names) - 1
	switch {
	case len(names) > choiceShown:
		return word + " " + strconv.Itoa(len(s.Options)) + " types."
	case last == 0:
		return word + " " + strconv.Itoa(len(s.Options)) + " forms of " + names[0] + "."
	}
	return word + ": " + strings.Join(names[:last], ", ") + ", or " + names[last] + "."
}

// discriminator returns the field that distinguishes the alternatives and its value for each of them ("" if unknown).
// If the description does not specify the field, discriminator looks for one that has a different constant value in
// every alternative.
func discriminator(s *openapi.Schema) (tag string, values []string) {
	values = make([]string, len(s.Options))
	if s.Discriminator != "" {
		for i, o := range s.Options {
			if values[i] = o.Tagged; values[i] == "" {
				values[i] = fixedValue(o, s.Discriminator)
			}
			if values[i] == "" {
				values[i] = o.Name // the default without a mapping
			}
		}
		return s.Discriminator, values
	}
	for _, m := range s.Options[0].Properties {
		seen := map[string]bool{"": true}
		for i, o := range s.Options {
			values[i] = fixedValue(o, m.Name)
			if seen[values[i]] {
				break
			}
			seen[values[i]] = true
		}
		if len(seen) == len(s.Options)+1 {
			return m.Name, values
		}
	}
	return "", make([]string, len(s.Options))
}

// fixedValue returns the only permitted text of a property, or "".
func fixedValue(s *openapi.Schema, name string) string {
	for _, m := range s.Properties {
		if m.Name != name {
			continue
		}
		if m.Schema.Const != nil {
			return m.Schema.Const.Text()
		}
		if len(m.Schema.Enum) == 1 {
			return m.Schema.Enum[0].Value.Text()
		}
	}
	return ""
}

// worthRows reports whether alternatives differ in more than their type.
func worthRows(options []*openapi.Schema) bool {
	for _, o := range options {
		if o.Nested() || o.Description != "" || o.Title != "" || len(o.Enum) > 0 || o.Const != nil ||
			len(o.Limits) > 0 || o.Recursive || o.Cut {
			return true
		}
	}
	return false
}
