package site

import "strconv"

// Kind is the kind of a navigation node. Divisions split the site into parts; a reader sees one division of a kind at a
// time.
type Kind uint8

// The zero Kind is the root of a tree.
const (
	KindPage Kind = iota + 1
	KindGroup
	KindLink
	KindTab
	KindAnchor
	KindDropdown
	KindProduct
	KindVersion
	KindLanguage
	KindMenu // an item of a tab's menu
)

// Division reports whether a node of this kind is a division.
func (k Kind) Division() bool { return k != KindPage && k != KindGroup && k != KindLink }

// String returns the kind's name.
func (k Kind) String() string {
	names := [...]string{"", "page", "group", "link", "tab", "anchor", "dropdown", "product", "version", "language",
		"menu"}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind " + strconv.Itoa(int(k))
}
