package maintain

import (
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

const (
	unnamed = "it is not in the navigation"
	noList  = "no group in the navigation has pages from its folder"
)

// maxOrphans limits the number of pages that are added at once.
const maxOrphans = 1000

// pageList is a list of pages in the site file.
type pageList struct {
	file    *siteFile
	list    *jsontree.Value
	entries []entry
	hidden  bool // inside a part that readers do not see
	added   []string
}

// entry is a page in a list.
type entry struct {
	page  string
	index int // index in the list
}

// addToNavigation adds pages that the navigation does not contain: to the list with the most pages of their folder, or
// else of a parent folder. Pages of a folder without a list get a new group, if the navigation is a plain list of
// groups.
func (j *job) addToNavigation() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	orphans, err := j.orphans(v)
	if err != nil || len(orphans) == 0 {
		return err
	}
	files := j.openSite(v.files)
	var lists []*pageList
	for _, f := range files {
		lists = append(lists, f.pageLists(f.Root, "", false)...)
	}
	fresh := j.shelve(v, lists, orphans)
	for _, l := range lists {
		for _, page := range l.insert() {
			j.done(l.file.Name, int(l.list.Line), "added %s", page)
		}
	}
	if len(files) > 0 {
		j.newGroups(v, files[0], fresh)
	}
	_, err = j.closeSite(files)
	return err
}

// shelve assigns each page to a list. It returns the pages without a suitable list, by their top-level folder.
func (j *job) shelve(v *view, lists []*pageList, orphans []string) (fresh map[string][]string) {
	known, strays := newFolderLists(lists), map[string]int{}
	for _, page := range orphans {
		strays[path.Dir(page)]++
	}
	fresh = map[string][]string{}
	for i, page := range orphans {
		left := func(why string) { j.left(v.site.Find(page).File, 0, unnamed, why) }
		if i == maxOrphans {
			left("there are too many such pages; run the task again")
			break
		}
		dir, _, nested := strings.Cut(page, "/")
		switch l := known.fitting(page, strays); {
		case l != nil && l.hidden:
			left("the other pages of its folder are hidden")
		case l != nil:
			l.added = append(l.added, page)
		case !nested || known.knows(dir):
			left(noList)
		default:
			fresh[dir] = append(fresh[dir], page)
		}
	}
	return fresh
}

// orphans returns the pages that are missing from the navigation, ordered by path.
func (j *job) orphans(v *view) (out []string, err error) {
	var all []string
	for _, p := range v.site.Pages {
		if p.File != "" {
			all = append(all, p.File)
		}
	}
	if all, err = j.chosen(all); err != nil {
		return nil, err
	}
	for _, file := range all {
		p := v.site.Find(v.sources[file])
		base := path.Base(p.Path)
		switch {
		case p.Listed || p.Hidden || base == "404" || p.Details().External != "":
		case ofRepository(file):
			j.left(p.File, 0, unnamed, "it looks like a repository file, not a page")
		default:
			out = append(out, p.Path)
		}
	}
	slices.Sort(out)
	return out, nil
}

// ofRepository reports whether a file, such as README.md, describes the repository and not the product.
func ofRepository(file string) bool {
	base, ok := strings.CutSuffix(path.Base(file), ".md")
	return ok && base == strings.ToUpper(base) &&
		strings.ContainsFunc(base, func(r rune) bool { return r >= 'A' && r <= 'Z' })
}

// pageLists returns the lists of pages below a value. A file that the site file includes by $ref may itself be such
// a list.
func (f *siteFile) pageLists(v *jsontree.Value, key string, hidden bool) (out []*pageList) {
	hidden = hidden || v.Get("hidden").True()
	if v.Kind == jsontree.List && (key == "pages" || key == "") {
		l := &pageList{file: f, list: v, hidden: hidden}
		for i, item := range v.Items {
			if page, ok := slug.Clean(item.Text()); ok && item.Is(jsontree.String) &&
				!strings.ContainsAny(item.Str, " :") {
				l.entries = append(l.entries, entry{page, i})
			}
		}
		if key == "pages" || len(l.entries) > 0 {
			out = append(out, l)
		}
	}
	for _, item := range v.Items {
		out = append(out, f.pageLists(item, "items", hidden)...)
	}
	for _, m := range v.Members {
		if m.Key != "redirects" && m.Key != "global" {
			out = append(out, f.pageLists(m.Value, m.Key, hidden)...)
		}
	}
	return out
}

// folderLists maps each folder to the list with the most of its pages.
type folderLists map[string]*best

type best struct {
	list *pageList
	most int
}

func newFolderLists(lists []*pageList) folderLists {
	s := folderLists{}
	for _, l := range lists {
		counts := map[string]int{}
		for _, e := range l.entries {
			counts[path.Dir(e.page)]++
		}
		for dir, n := range counts {
			if b := s[dir]; b == nil || n > b.most { // on a tie, the first list
				s[dir] = &best{l, n}
			}
		}
	}
	return s
}

// knows reports whether one of the lists contains pages of a folder or of its subfolders.
func (s folderLists) knows(dir string) bool {
	for d := range s {
		if d == dir || strings.HasPrefix(d, dir+"/") {
			return true
		}
	}
	return false
}

// maxStray limits how many pages of a folder without a list may join the list of the parent folder. More pages form a
// separate section, whose position people have to choose.
const maxStray = 3

// fitting returns the list for a page, or nil. strays counts orphans by folder.
func (s folderLists) fitting(page string, strays map[string]int) *pageList {
	dir := path.Dir(page)
	if b := s[dir]; b != nil {
		return b.list
	}
	if above := path.Dir(dir); dir != "." && above != "." && strays[dir] <= maxStray && s[above] != nil {
		return s[above].list
	}
	return nil
}

// insert writes the added pages into the list and returns them.
func (l *pageList) insert() []string {
	slash := len(l.entries) > 0 && strings.HasPrefix(l.list.Items[l.entries[0].index].Str, "/")
	for _, page := range l.added {
		text := page
		if slash {
			text = "/" + page
		}
		l.put(l.place(page), quoted(text))
	}
	return l.added
}

// place returns the index of the item that a page follows, or -1 if the page comes first. A sorted list stays sorted;
// otherwise the page follows the last page of its folder.
func (l *pageList) place(page string) int {
	var kin []entry
	for _, e := range l.entries {
		if path.Dir(e.page) == path.Dir(page) {
			kin = append(kin, e)
		}
	}
	if len(kin) == 0 {
		return len(l.list.Items) - 1
	}
	switch strings.ToLower(path.Base(page)) {
	case "index", "overview", "introduction", "readme":
		return kin[0].index - 1
	}
	at := kin[len(kin)-1].index
	if len(kin) < 3 || !slices.IsSortedFunc(kin, func(a, b entry) int { return strings.Compare(a.page, b.page) }) {
		return at
	}
	at = kin[0].index - 1
	for _, e := range kin {
		if e.page < page {
			at = e.index
		}
	}
	return at
}

// put inserts an item after another one, or first, in the format of its neighbours.
func (l *pageList) put(after int, text string) {
	f, items := l.file, l.list.Items
	if len(items) == 0 {
		start, _ := f.Span(l.list)
		if l.added[0] != "" && text != quoted(l.added[0]) {
			text = ", " + text
		}
		f.insert(start+1, text)
		return
	}
	start, end := f.Span(items[max(0, after)])
	space, alone := f.Indent(start)
	between := " "
	if alone {
		between = f.EOL() + space
	}
	if after < 0 {
		f.insert(start, text+","+between)
		return
	}
	f.insert(end, ","+between+text)
}
