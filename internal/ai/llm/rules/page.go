package rules

import (
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/maintain"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Requests about pages, named by path or in words.
const (
	path   = "(?:`[^`]+`|\"[^\"]+\"|'[^']+'" + `|[\w.~-]*(?:/|\.mdx?\b)[\w./~-]*)`
	called = `(?:page|guide|article|tutorial|doc)`
	homely = `(?:the |our )?(?:home ?page|landing page|start page|index page)`
	// onePage matches a page: a path, a title, or a word together with a word such as "page".
	onePage = `(?:(?:the |our |this )?(?:(?:page|file) )?` + path + `(?: ` + called + `)?|` + homely +
		`|(?:the |our )[\w-]+(?: [\w-]+){0,2} ` + called + `|(?:the )?page [\w-]+)`

	deleting = `(?:delete|remove|drop|retire|discard|erase|take down|get rid of|throw away|git rm|rm)`
	fromDocs = `(?: (?:from|in) ` + whole + `)?`
	// because matches a reason, which does not change the request unless it contains a condition.
	because = `((?:,| -| –|:)? (?:(?:because|since|as) )?(?:we (?:do not|don't|no longer|never) \w+ (?:it|this|that)(?: any ?more)?` +
		`|(?:it|this|this page|the page) (?:is|was|has|isn't|became) [^,;:]+|it's [^,;:]+|(?:nobody|no one|no-one) [^,;:]+))?`
	// instead matches where readers of a deleted page are sent.
	instead = `(?:(?:redirect|forward|send|point|lead|route)(?:ing|s)?(?: (?:it|them|its (?:url|address|readers|visitors|links)` +
		`|the (?:old )?(?:url|address|page|path)|` +
		`(?:all )?(?:its |the )?(?:readers|visitors|people|users|traffic)|everyone|everything|(?:all |any |the |its )?links?(?: to it)?` +
		`(?: and (?:a |the )?redirects?)?|everything that (?:links|points) (?:there|to it)))?` +
		`|(?:(?:its|the|all) )*(?:readers|visitors|people|users|links|it|they) (?:should|must|can) (?:land|end up|go|be sent|be redirected` +
		`|be pointed|point|lead)` +
		`|(?:add|create|set up|leave|put) (?:a |the )?redirect(?: from (?:it|there|the old (?:url|address|path)))?` +
		`|(?:with )?a redirect)(?: instead)?` +
		` (?:to|on|at) (` + onePage + `|/)(?: instead)?`

	// afterwards matches updates that a move or a deletion makes anyway.
	afterwards = `(?:(?:update|fix|fix up|adjust|correct|change|repair|keep|take care of|mind) (?:(?:all|any|the|its|of) )*(?:links?|references?|refs` +
		`|navigation|nav|sidebar|imports?|redirects?|docs\.json|menu)` +
		`(?:(?:,| and|, and) (?:(?:all|any|the|its) )*(?:links?|references?|refs|navigation|nav|sidebar|imports?|redirects?|docs\.json|menu))*` +
		`(?: (?:to|pointing to|that point to|for|from) (?:it|them|the page|the old (?:path|address|url|location)))?(?: (?:working|intact))?` +
		`|(?:fix|update|adjust|repair) (?:what|whatever|everything that|anything that|all that) (?:links|points|refers|leads) to (?:it|them)` +
		`|(?:(?:make sure|ensure|check)(?: that)? )?(?:(?:all|the|existing|old|our) )*(?:links?|urls?|addresses|bookmarks?|anchors?) (?:(?:should|must|will|have to|need to) )?(?:keep|still|continue to` +
		`|don't break|do not break)(?: work(?:ing|s)?)?` +
		`|(?:make sure|ensure)(?: that)? (?:nothing|no page|no link) (?:still )?(?:links|points|leads|refers) to the old (?:url|path|page` +
		`|address|file)` +
		`|(?:add|leave|keep|set up|create) (?:a |the )?redirects?(?: (?:from|for) (?:it|the old (?:url|address|path|location)` +
		`|(?:the )?old (?:url|address|path|location)))?` +
		`|(?:do (?:it|that|this) )?with (?:a )?redirects?)`
)

// pageForms contains the wordings of these requests.
type pageForms struct {
	deletes, deleteIt, elsewhere, afterwards                          *regexp.Regexp
	unlist, intoNav                                                   *regexp.Regexp
	repoint, leads                                                    *regexp.Regexp
	movePage, moveFolder, moveInto, moveAll, moveBoth, arrow, gitMove *regexp.Regexp
	newURL, lives, moving                                             *regexp.Regexp
	useless, unneeded, cleanIt                                        *regexp.Regexp
	pointsTo, oldLinks, redirectIt                                    *regexp.Regexp
	scoped, named                                                     *regexp.Regexp
}

func newPageForms() pageForms {
	and := `(?:[,;:]? ?(?:and |then |and then |but )?(?:` + pr + ` )*`
	more := `(?:` + and + afterwards + `))*`
	keep := `(?:,? (?:and |but )?(?:keep|leave|do not delete|don't delete|not delete) (?:the |its )?(?:page|file` +
		`|it)(?: itself)?(?: (?:as (?:it )?is|online|published))?)?`
	return pageForms{
		deletes:   form(deleting + ` (` + onePage + `)` + fromDocs + because + `(?:` + and + instead + `))?` + more + `(?:` + fill + `)*`),
		elsewhere: form(instead + `(?:` + fill + `)*`), afterwards: form(afterwards + `(?:` + fill + `)*`),
		unlist: form(`(?:remove|hide|drop|take|delete|exclude|unlist) (` + onePage + `|[\w-]+) (?:from|out of|in) ` + nav + keep +
			`(?:` + fill + `)*`),
		intoNav: form(`(?:add|put|list|include) (?:it|them|the page|the new page) (?:to|in|into) ` + nav + `(?:` + fill + `)*`),
		repoint: form(`(?:point|repoint|re-point|change|replace|update|switch|redirect|retarget) (?:(?:all|the|any|every|our` +
			`|existing) )*links? (?:to|from|pointing to|that point to|that lead to) (` +
			path + `) ?(?:to|with|by|at|->)(?: links? to)? (` + onePage + `)` + tail),
		leads: form(`(?:(?:all|the|any|every|our|existing) )*links? (?:to|pointing to|that point to|that lead to) (` + path +
			`) (?:should|must|need to|have to) (?:go|point|lead|link|be changed|be updated) to (` + onePage + `)(?: instead)?` + tail),
		moveFolder: form(`(?:move|rename|relocate) (?:the |our )?([\w-]+) (?:folder|directory|section) (?:to|into|under|->) (?:the |a ` +
			`|a new )?(?:folder |directory )?` +
			`([\w./-]+)(?: folder| directory)?(?:` + and + afterwards + `))?(?:` + fill + `)*`),
		moveInto: form(`(?:move|put|place|relocate) (` + onePage + `) (?:in|into|to|under|inside|below) (?:the |a |a new )?(?:(?:folder` +
			`|directory) )?([\w./-]+?)(/| folder| directory)(?: instead)?` +
			`(?:` + and + afterwards + `))?(?:` + fill + `)*`),
		arrow:    form(`(` + path + `) ?-> ?(` + path + `)`),
		gitMove:  form(`(?:git )?mv (` + path + `) (` + path + `)(?:` + and + afterwards + `))?(?:` + fill + `)*`),
		movePage: form(`(?:move|rename|relocate) (` + onePage + `) (?:to|into|as|under|->) (` + path + `)` + more + `(?:` + fill + `)*`),
		moveAll: form(`(?:move|relocate) (?:everything|all|all (?:of )?(?:the )?(?:pages|files|docs|guides|articles)) (?:in|from|under|below` +
			`|inside|of) (?:the )?(` +
			path + `|[\w-]+)(?: folder| directory| section)? (?:to|into|under|->) (?:the )?(` + path + `|[\w-]+)(?: folder` +
			`| directory)?` + more + `(?:` + fill + `)*`),
		moveBoth: form(`(?:move|put|place|relocate) (` + path + `)(?:,| and|, and) (` + path + `) (?:to|into|under|in) (?:the )?(` + path +
			`|[\w-]+ (?:folder|directory))` + more + `(?:` + fill + `)*`),
		newURL: form(`(?:change|set|update) the (?:url|path|address|slug|location) (?:of|for) (` + onePage + `` +
			`|[\w-]+)(?: from (?:` + path + `))? to (` + path + `)` +
			more + `(?:` + fill + `)*`),
		lives: form(`(` + onePage + `) (?:should|must|needs to|has to|ought to) (?:be (?:called|named|at|in|under|moved to|moved into` +
			`|renamed to|located at)|live (?:at|in|under)|move to|go to|sit (?:at|in|under)) (` +
			path + `)(?: (?:from now on|instead|now))?(?:,? (?:url|address|path|links?|redirects?)(?: and (?:url|address|path|links?` +
			`|redirects?))? included)?` + more + `(?:` + fill + `)*`),
		moving: form(`(?:i am|i'm|we are|we're|we will be|i want to|we want to|we plan to) (?:moving|renaming|relocating|move|rename` +
			`|relocate) ` + thing + `(` + path + `) (?:to|into|as|->) ` +
			thing + `(` + path + `)`),
		useless: form(`(` + onePage + `) (?:is|was|has been|became|has become|got) (?:now |been )*(?:discontinued|deprecated|obsolete` +
			`|outdated|out of date|gone|retired|redundant|` +
			`no longer (?:needed|used|supported|relevant|offered)|not (?:needed|used|supported|relevant)(?: any ?more)?|messy|a mess` +
			`|badly formatted|ugly)`),
		unneeded: form(`we (?:no longer|don't|do not) (?:need|want|use|support|offer|have) (` + onePage + `)(?: any ?more)?`),
		deleteIt: form(deleting + ` (?:it|this|that|the page|that page|this page|the file` +
			`|that file)` + fromDocs + `(?:` + and + instead + `))?` + more + `(?:` + fill + `)*`),
		cleanIt: form(`(?:(?:clean|tidy) (?:it|that|the page|the file) up|(?:clean up|tidy|tidy up|format|reformat|fix) (?:it|that|this` +
			`|the page|the file))(?:` + fill + `)*`),
		pointsTo: form(`(?:(?:the|an|our) )?(?:(?:old|former|previous|legacy) )?(?:(?:url|address|path|page|link) )?(` + path +
			`) (?:should|must|needs to|has to|ought to) (?:redirect|lead|point|go|forward|be redirected|take (?:people|readers` +
			`|visitors))(?: (?:people|readers|visitors))? to (` + onePage + `)(?: instead)?(?:` + fill + `)*`),
		oldLinks: form(`(?:(?:many|some|old|existing|external|the|our|a few) )*(?:links|bookmarks|sites|people|readers` +
			`|visitors) (?:still )?(?:go|point|lead|link|come|get) to (` + path + `)`),
		redirectIt: form(`(?:redirect|send|forward|lead|point) (?:them|it|those|these|that|people|readers` +
			`|visitors) to (` + onePage + `)(?: instead)?(?:` + fill + `)*`),
		named:  form(onePage),
		scoped: form(`(?:in|on|for|within) (` + onePage + `|` + files + `|(?:the |our )[\w-]+),? (.+)`),
	}
}

var (
	beforeName = lazyregexp.New(`(?i)^(?:(?:the|our|this) )?(?:(?:page|file) )?`)
	afterName  = lazyregexp.New(`(?i) ` + called + `$`)
	homePage   = lazyregexp.New(`(?i)^` + homely + `$`)
)

// pageOf returns the name of a page without the surrounding words.
func pageOf(s string) string {
	if s = strings.TrimSpace(s); homePage.MatchString(s) || s == "/" {
		return "index"
	}
	s = afterName.ReplaceAllString(beforeName.ReplaceAllString(s, ""), "")
	return strings.TrimRight(unquote(s), ".,;:")
}

// pages parses a request about pages.
func (r *reading) pages(clause string) bool {
	if m := r.unlist.FindStringSubmatch(clause); m != nil {
		return r.add(maintain.Task{Kind: maintain.Unlist, Files: []string{pageOf(m[1])}})
	}
	if m := r.deletes.FindStringSubmatch(clause); m != nil && !conditional.MatchString(m[2]) {
		if name := unquote(m[1]); name != m[1] && !isPath(name) {
			return false // quoted text may be text to delete
		}
		return r.deletion(pageOf(m[1]), m[3])
	}
	if m := r.deleteIt.FindStringSubmatch(clause); m != nil && r.subject != "" {
		return r.deletion(r.subject, m[1])
	}
	if r.cleanIt.MatchString(clause) && r.subject != "" {
		return r.add(maintain.Task{Kind: maintain.Format, Files: []string{r.subject}})
	}
	if m := r.pointsTo.FindStringSubmatch(clause); m != nil {
		return r.add(maintain.Task{Kind: maintain.Redirects, Moves: []maintain.Move{{From: pageOf(m[1]), To: pageOf(m[2])}}})
	}
	if m := r.redirectIt.FindStringSubmatch(clause); m != nil && r.old != "" {
		return r.add(maintain.Task{Kind: maintain.Redirects, Moves: []maintain.Move{{From: r.old, To: pageOf(m[1])}}})
	}
	if r.relocation(clause) {
		return true
	}
	for _, f := range []*regexp.Regexp{r.repoint, r.leads} {
		if m := f.FindStringSubmatch(clause); m != nil {
			return r.add(maintain.Task{Kind: maintain.FixLinks, Files: r.filesOf(m[3]),
				Moves: []maintain.Move{{From: pageOf(m[1]), To: pageOf(m[2])}}})
		}
	}
	return r.following(clause)
}

// relocation parses a request for another path.
func (r *reading) relocation(clause string) bool {
	if m := r.moveFolder.FindStringSubmatch(clause); m != nil {
		return r.addMove(m[1], strings.TrimSuffix(m[2], "/"))
	}
	if m := r.moveInto.FindStringSubmatch(clause); m != nil {
		return r.addMove(pageOf(m[1]), strings.TrimSuffix(m[2], "/")+"/")
	}
	for _, f := range []*regexp.Regexp{r.arrow, r.gitMove} {
		if m := f.FindStringSubmatch(clause); m != nil && isPath(pageOf(m[1])) && isPath(pageOf(m[2])) {
			return r.addMove(pageOf(m[1]), pageOf(m[2]))
		}
	}
	for _, f := range []*regexp.Regexp{r.movePage, r.newURL, r.lives} {
		if m := f.FindStringSubmatch(clause); m != nil && isPath(pageOf(m[2])) {
			return r.addMove(pageOf(m[1]), pageOf(m[2]))
		}
	}
	if m := r.moveAll.FindStringSubmatch(clause); m != nil {
		return r.addMove(strings.Trim(pageOf(m[1]), "/"), strings.Trim(pageOf(m[2]), "/"))
	}
	if m := r.moveBoth.FindStringSubmatch(clause); m != nil {
		to := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(pageOf(m[3]), " folder"), " directory"), "/") + "/"
		return r.add(maintain.Task{Kind: maintain.MovePages,
			Moves: []maintain.Move{{From: pageOf(m[1]), To: to}, {From: pageOf(m[2]), To: to}}})
	}
	return false
}

// conditional matches words that turn a reason into a condition.
var conditional = lazyregexp.New(`(?i)\b(?:if|when|unless|until|except|but|only|instead|after|before)\b`)

// deletion adds the deletion of a page; target is where its readers are sent, as written, and may be empty.
func (r *reading) deletion(page, target string) bool {
	move := maintain.Move{From: page}
	if target != "" {
		move.To = pageOf(target)
	}
	return r.add(maintain.Task{Kind: maintain.DeletePages, Moves: []maintain.Move{move}})
}

// subjectOf records a fact about a page, for a later request that refers to the page as "it".
func (r *reading) subjectOf(s string) bool {
	for _, f := range []*regexp.Regexp{r.useless, r.unneeded} {
		if m := f.FindStringSubmatch(s); m != nil {
			r.subject = pageOf(m[1])
			return true
		}
	}
	if m := r.oldLinks.FindStringSubmatch(s); m != nil {
		r.old = pageOf(m[1])
		return true
	}
	if m := r.moving.FindStringSubmatch(s); m != nil {
		t, ok := checked(maintain.Task{Kind: maintain.MovePages, Moves: []maintain.Move{{From: pageOf(m[1]), To: pageOf(m[2])}}})
		if ok {
			r.called = &t
		}
		return ok
	}
	return false
}

func (r *reading) addMove(from, to string) bool {
	return r.add(maintain.Task{Kind: maintain.MovePages, Moves: []maintain.Move{{From: from, To: to}}})
}

// following parses an addition to the preceding move or deletion.
func (r *reading) following(clause string) bool {
	if len(r.out.tasks) == 0 {
		return false
	}
	last := &r.out.tasks[len(r.out.tasks)-1]
	deletes := last.Kind == maintain.DeletePages
	if !deletes && last.Kind != maintain.MovePages {
		return false
	}
	if m := r.elsewhere.FindStringSubmatch(clause); m != nil && deletes {
		moves := append([]maintain.Move(nil), last.Moves...)
		for i := range moves {
			if moves[i].To == "" {
				moves[i].To = pageOf(m[1])
			}
		}
		last.Moves = moves
		return true
	}
	if r.intoNav.MatchString(clause) && !deletes {
		var files []string
		for _, m := range last.Moves {
			files = append(files, m.To)
		}
		return r.add(maintain.Task{Kind: maintain.Navigation, Files: files})
	}
	return r.afterwards.MatchString(clause)
}
