package rules

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// A request that the strict reading does not understand is sketched: names become marks, verbs become classes, and
// clauses that restrict or forbid something are set apart. The loose reading then searches the sketch for actions.

// sketch is a prompt with marks.
type sketch struct {
	text    string // lower-case words, marks, and full stops, separated by spaces
	marks   []mark
	clauses []part
	folder  *folderView // may be nil
}

// mark is a name in a prompt. Its kind is the letter that represents it in the sketch.
type mark struct {
	kind   byte
	raw    string     // as written, without quotation marks
	pages  []pageFile // the pages that the mark may refer to; for a quotation, those with that title
	clause int
}

// The kinds of marks.
const (
	pageMark    = 'G' // a page that exists, or one described in words if the folder is not known
	pathMark    = 'P' // a path or address that is not a page
	folderMark  = 'F'
	quoteMark   = 'Q'
	nameMark    = 'C' // a name in capital letters
	versionMark = 'V'
	imageMark   = 'I' // an image file
	urlMark     = 'U' // a URL of another site
)

// part is a part of a prompt, as written.
type part struct {
	text  string
	apart bool // it restricts or forbids something and is not in the sketch
	used  bool // used by the reading
}

// token is a word, a name or a full stop.
type token struct {
	text, low string
	kind      byte // kind of its mark; 0 = a word or a full stop
	raw       string
	pages     []pageFile
	clause    int
	first     bool // first token of its sentence
}

var (
	sketched = lazyregexp.New("`[^`]+`|\"[^\"]+\"|" + `https?://\S+|->|\bv?[0-9]+(?:\.[0-9]+)+(?:-[0-9A-Za-z.]*[0-9A-Za-z])?\b` +
		`|[\w.~-]*/[\w./~#-]*|\b[\w.~-]+\.(?:mdx?|png|jpe?g|gif|svg|webp|avif)\b` +
		`|[\p{L}\p{N}](?:[\p{L}\p{N}'+#&_.-]*[\p{L}\p{N}+#])?|[,;:.!?()]|[–-]`)
	imageFile = lazyregexp.New(`(?i)\.(?:png|jpe?g|gif|svg|webp|avif)$`)
	noPath    = lazyregexp.New(`(?i)^(?:and/or|either/or|yes/no|on/off|he/she|his/her|i/o|n/a|w/o|w/|read/write|client/server|\.+/?|[0-9]+/[0-9]+)$`)
	stopsAt   = lazyregexp.New(`^[,;:.!?()–-]$`)
	opensPart = lazyregexp.New(`^(?:but|unless|except|excluding|if|because|since|although|though|and|then|while|without|so|until|once|provided)$`)
	touching  = lazyregexp.New(`(?i)^ (?:[a-z]+ing|a redirect|redirects?|any)\b`)

	// setApart matches the beginnings of clauses that restrict or forbid something.
	setApart = lazyregexp.New(`^(?:(?:and|but|so|then|also|please|pls|just|though|however|you|we) )*(?:(?:do not|don't|dont|must not|mustn't` +
		`|should not|shouldn't|shall not|need not|needn't|may not|won't|will not|never|no need to|there is no need to|not in|not on` +
		`|not for|not from|not the|not if|not when|without|except|excluding|unless|if|only if|only when|as long as|provided|leave` +
		`|leaving|skip|ignore|avoid|until|other than|apart from|besides|keep|keeping|nothing else|no other|everything else|the rest` +
		`|when|once|while|whenever|although)\b|(?:and )?but (?:the |our |not )*[\w/.-]+$|.*\b(?:untouched|unchanged|as is|as it is` +
		`|as they are|alone)$)`)
	// visiting matches descriptions of readers who open an address, which look like conditions but are not.
	visiting = lazyregexp.New(`^(?:when|whenever|if) (?:someone|somebody|people|users?|readers?|visitors?|anyone|you|customers?|i|they)` +
		`(?: [a-z]+){0,2}? (?:opens?|visits?|types?|goes|go|enters?|follows?|clicks?|lands?|comes?|requests?)\b`)
	// asksOnly matches questions that request nothing.
	asksOnly = lazyregexp.New(`(?i)^(?:(?:and|so|but|hi|hello|hey|also|ok|then)[, ]+)*(?:what|why|how|when|where|who|whose|which|do|does|did|is` +
		`|are|was|were|has|have|had|should|shall|must|am)\b.*\?$`)
	// asksPolitely matches questions that request something.
	asksPolitely = lazyregexp.New(`(?i)^(?:.* )?(?:is it possible to|is there a way to|are you able to|how about|why don't (?:we|you)|why not` +
		`|any chance|what about|do you mind|would you mind)\b`)
	// pleasantries match introductions that look like conditions.
	pleasantries = lazyregexp.New(`(?i)\b(?:(?:it|that)(?: would|'d| will)|would) be (?:really |very |so |super )?(?:great|nice|lovely|good|cool` +
		`|helpful|awesome|better|best|ideal|wonderful|handy) (?:if|when)(?: (?:you|we|someone)(?: could| can| would)?)?` +
		`|\b(?:i'd|i would|we'd|we would) (?:really )?appreciate it if(?: you| we)?(?: could| would)?` +
		`|\bi was wondering if(?: you| we)?(?: could| can)?`)
)

const (
	pageKinds = ` page guide tutorial article topic doc howto how-to walkthrough reference `
	folders   = ` folder directory dir subfolder `
	// noNames are words that cannot be part of a page's name or names in capital letters.
	noNames = stops + `should must shall can could will would be been get got which who where when there here it them they we i you not no more ` +
		`but if so then than just also still currently already really only by about have has had does do did use uses used say says said some any ` +
		`docs doc article tutorial topic folder section file link links broken dead text version release bump number via towards ` +
		`please pls hi hello hey thanks cheers can could would legal marketing support seo url urls pr mdx markdown toc changelog navigation ` +
		`sidebar nav menu readme english american british accessibility audit alt redirect redirects delete remove move rename replace i'd we'd ` +
		`it's kill drop images pictures screenshots descriptions typo todo fyi ps btw these those as after before both people readers visitors users `
)

// among reports whether a word is in a list separated by spaces.
func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// sketchOf sketches a prompt. Single words count as page names only if weak is set.
func (g *grammar) sketchOf(prompt string, folder *folderView, weak bool) *sketch {
	k := &sketch{folder: folder}
	var out []string
	for _, s := range sentences(pleasantries.ReplaceAllString(prompt, "")) {
		s = strings.TrimSpace(apostrophes.ReplaceAllString(label.ReplaceAllString(s, ""), "$1\"$2\"$3"))
		if asksOnly.MatchString(s) && !asksPolitely.MatchString(s) {
			k.clauses = append(k.clauses, part{text: s, apart: true})
			continue
		}
		for _, t := range g.nameRuns(k.nameTitles(k.namePages(k.divide(s), weak), weak)) {
			switch {
			case k.clauses[t.clause].apart:
			case t.kind == 0:
				out = append(out, t.low)
			default:
				k.marks = append(k.marks, mark{kind: t.kind, raw: t.raw, pages: t.pages, clause: t.clause})
				out = append(out, fmt.Sprintf("%c%d", t.kind, len(k.marks)-1))
			}
		}
		out = append(out, ".")
	}
	k.text = " " + strings.Join(out, " ") + " "
	for _, c := range looseClasses() {
		k.text = " " + strings.Join(strings.Fields(c.words.ReplaceAllString(k.text, c.class)), " ") + " "
	}
	return k
}

// divide splits a sentence into clauses and these into tokens.
func (k *sketch) divide(s string) (out []token) {
	start, first := -1, len(k.clauses)
	end := func(at int) {
		if start >= 0 && start < at {
			k.clauses = append(k.clauses, part{text: strings.Trim(s[start:at], " ,;:.!?()–-")})
		}
		start = -1
	}
	for i, m := range sketched.FindAllStringIndex(s, -1) {
		t := token{text: s[m[0]:m[1]], first: i == 0}
		t.low = strings.ToLower(t.text)
		dash := t.low == "-" || t.low == "–"
		opens := opensPart.MatchString(t.low) && (t.low != "without" || touching.MatchString(s[m[1]:]))
		if opens || stopsAt.MatchString(t.low) && !dash || dash && m[0] > 0 && s[m[0]-1] == ' ' {
			end(m[0])
		}
		if start < 0 {
			start = m[0]
		}
		t.clause = len(k.clauses)
		if !stopsAt.MatchString(t.low) {
			k.recognise(&t)
		}
		out = append(out, t)
	}
	end(len(s))
	for i := first; i < len(k.clauses); i++ {
		low := strings.ToLower(k.clauses[i].text)
		k.clauses[i].apart = setApart.MatchString(low) && !visiting.MatchString(low)
	}
	return out
}

// recognise turns a token that names something into a mark.
func (k *sketch) recognise(t *token) {
	name := unquote(t.text)
	quoted := name != t.text
	if !quoted {
		name = strings.TrimRight(name, ".,")
	}
	t.raw = name
	switch {
	case strings.Contains(name, "://"):
		t.kind = urlMark
	case imageFile.MatchString(name) && !strings.Contains(name, " "):
		t.kind = imageMark
	case isNumber.MatchString(name) && !strings.Contains(name, " "):
		t.kind = versionMark
	case strings.EqualFold(name, "CHANGELOG.md"):
		t.low = "changelog"
	case isPath(name) && !strings.Contains(name, " ") && !noPath.MatchString(name):
		k.path(t)
	case t.low == "index":
		t.kind, t.pages = pageMark, []pageFile{{path: "index", file: "index.mdx"}}
	case quoted:
		t.kind = quoteMark
		if k.folder != nil {
			t.pages = k.folder.byName(wordsOf(name))
		}
	case k.folder != nil && strings.Contains(name, "-") && !strings.HasPrefix(name, "-"):
		if pages := k.folder.byPath(name); len(pages) > 0 {
			t.kind, t.pages = pageMark, pages
		}
	}
}

// path determines what kind of name a path is.
func (k *sketch) path(t *token) {
	t.kind = pathMark
	clean := strings.Trim(t.raw, "/")
	if k.folder == nil {
		if strings.HasSuffix(t.raw, "/") && clean != "" {
			t.kind = folderMark
		}
		return
	}
	switch pages := k.folder.byPath(t.raw); {
	case strings.HasSuffix(t.raw, "/") && clean != "" || k.folder.folders[clean] && len(pages) == 0:
		t.kind = folderMark
	case len(pages) > 0:
		t.kind, t.pages = pageMark, pages
	}
}
