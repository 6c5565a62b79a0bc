package stylesheet

import (
	"slices"
	"strings"
)

// surroundings records the elements that a selector has named so far, since the last comma.
type surroundings struct {
	sidebar bool // part of the sidebar, where h5 is the title of a group and button opens a group
	card    bool // a card, whose title is h2
	fold    bool // an element that a button opens
	isCard  bool // the element being read is a card
}

// enter records the id or class of an element in the selector.
func (in *surroundings) enter(name string) {
	switch name {
	case "#sidebar", "#sidebar-content", "#sidebar-group", "#navigation-items", ".sidebar-group":
		in.sidebar = true
	case ".card":
		in.card, in.isCard = true, true
	case ".accordion", ".expandable":
		in.fold = true
	}
}

// attribute translates the attribute selector whose opening bracket is all[i].
func (t *translator) attribute(all []token, i int, not bool, in *surroundings) {
	last := slices.IndexFunc(all[i:], func(k token) bool { return byteOf(t.src, k) == ']' })
	if last < 2 {
		return
	}
	start, end := all[i].start, all[i+last].end
	own := string(t.src[start:end])
	word, _, part := t.wordOfClass(all, i)
	switch attribute := all[i+1].value; {
	case part && aliases["."+word] != "":
		t.put(start, end, either(own, aliases["."+word]))
	case part:
		in.enter("." + word)
		if !not {
			t.put(end, end, ownParts(word))
		}
	case attribute == "data-as": // the other product's markup for a paragraph
		if i > 0 && all[i-1].end == start && all[i-1].value == "span" && all[i-1].start >= t.from {
			start = all[i-1].start
		}
		t.put(start, end, either(string(t.src[start:end]), "p"))
	case attribute == "data-state":
		if instead := states[strings.Trim(all[i+last-1].value, `"'`)]; instead != "" {
			t.put(start, end, either(own, instead))
		}
	case attribute == "style" && strings.Contains(own, "color-scheme"):
		instead := ":root"
		if strings.Contains(own, "dark") {
			instead = ".dark"
		} else if strings.Contains(own, "light") {
			instead = ":root:not(.dark)"
		}
		t.put(start, end, either(own, instead))
	case attribute == "alt":
		if instead := logoOf(own); instead != "" {
			t.put(start, end, either(own, instead))
		}
	case attribute == "href" && in.isCard: // here, the link is inside the card
		t.put(start, end, either(own, ":has(.card-link"+own+")"))
	}
}

// logoOf returns a selector for the logo that a selector such as [alt="dark logo"] is meant for, or "". In the other
// product, the logos have the alt texts "light logo" and "dark logo"; here, their alt text is the site's name.
func logoOf(selector string) string {
	name, value, _ := strings.Cut(strings.Trim(selector, "[]"), "=")
	value = strings.Trim(value, ` "'`)
	compare := strings.Contains
	switch name = strings.TrimSpace(name); {
	case value == "":
		return ""
	case strings.HasSuffix(name, "^"):
		compare = strings.HasPrefix
	case strings.HasSuffix(name, "$"):
		compare = strings.HasSuffix
	case strings.HasSuffix(name, "~"):
		compare = func(text, word string) bool { return slices.Contains(strings.Fields(text), word) }
	case !strings.HasSuffix(name, "*"):
		compare = func(text, whole string) bool { return text == whole }
	}
	switch light, dark := compare("light logo", value), compare("dark logo", value); {
	case light && dark:
		return ".nav-logo"
	case light:
		return ".nav-logo:not(.only-dark)"
	case dark:
		return ".nav-logo:not(.only-light)"
	}
	return ""
}

// states maps the values of data-state, an attribute of the other product's menus and tabs, to equivalent selectors
// here.
var states = map[string]string{
	"open": `[open],[aria-expanded="true"]`, "closed": `details:not([open]),[aria-expanded="false"]`,
	"active": `[aria-selected="true"]`, "inactive": `[aria-selected="false"]`,
}

// opener returns the selector for a button that opens something. Here, such a button is the summary of a details
// element. If the original selector includes the button's state, the result selects by the state of the details
// element. end is the end of the replaced text.
func (t *translator) opener(k token, after []token) (instead string, end int) {
	last := slices.IndexFunc(after, func(k token) bool { return byteOf(t.src, k) == ']' })
	if last < 2 || after[0].start != k.end || byteOf(t.src, after[0]) != '[' || after[1].value != "aria-expanded" {
		return "summary", k.end
	}
	end = after[last].end
	switch state := string(t.src[after[1].end:end]); {
	case strings.Contains(state, "true"):
		return "details[open]>summary", end
	case strings.Contains(state, "false"):
		return "details:not([open])>summary", end
	}
	return "summary", end
}

// child translates "li > button" and "li > ul" in the sidebar, where a details element may be between the two. all[i]
// is the combinator. The result also selects deeper descendants.
func (t *translator) child(all []token, i int) {
	const near = ":where(li>*,li>details>*)"
	next := slices.IndexFunc(all[i+1:], func(k token) bool { return k.kind != blank })
	if i == 0 || next < 0 {
		return
	}
	parent, k, after := all[i-1], all[i+1+next], all[i+2+next:]
	if parent.kind == blank && i > 1 {
		parent = all[i-2]
	}
	switch {
	case parent.value != "li":
	case k.value == "button":
		instead, end := t.opener(k, after)
		t.put(all[i].start, end, " "+either(string(t.src[k.start:end]), instead)+near)
	case k.value == "ul":
		t.put(all[i].start, k.end, " "+string(t.src[k.start:k.end])+near)
	case byteOf(t.src, k) == ':' && len(after) > 0 && after[0].value == "is":
		t.put(all[i].start, k.start, " "+near)
	}
}
