package jobpage

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/diffview"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// rowView is a line of a change with its comments.
type rowView struct {
	diffview.Line
	On       string // value that opens the comment form at this line; "" = it cannot be commented on
	Comments []commentView
	Form     *commentForm // nil = the form is not open here
}

// commentView is a comment as shown on the page.
type commentView struct {
	client.ProposalComment
	Who      string
	Resolver string // "" if it is unresolved
	May      bool   // whether the user may resolve it
	Apply    bool   // whether the user may apply its suggestion
	Edit     diffview.Lines
	Place    string // describes the lines, if the comment is not shown next to them
}

// commentForm is the form for a new comment.
type commentForm struct {
	File       string
	Side       client.ProposalSide
	Line, Last int
	On         string // line at which it is open, see rowView
	Body       string
	Suggest    bool
	Suggestion string
}

// Range describes the lines. Used by the template.
func (f commentForm) Range() string { return rangeText(f.Side, f.Line, f.Last) }

func rangeText(side client.ProposalSide, line, last int) string {
	text := "line " + strconv.Itoa(line)
	if last > line {
		text = fmt.Sprintf("lines %d to %d", line, last)
	}
	if side == client.ProposalSide(proposal.Old) {
		return text + " of the old file"
	}
	return text
}

// onOf identifies a line in URLs: "3n12" is line 12 of the new side of the third file.
func onOf(file int, l diffview.Line) string {
	switch {
	case l.New > 0:
		return strconv.Itoa(file) + "n" + strconv.Itoa(l.New)
	case l.Old > 0:
		return strconv.Itoa(file) + "o" + strconv.Itoa(l.Old)
	}
	return ""
}

// formAt returns the form opened by the URL, or nil if there is none.
func formAt(v *shell.Visit) *commentForm {
	on := v.Query("on")
	if on == "" {
		return nil
	}
	last, _ := strconv.Atoi(v.Query("to")) // 0 = only that line
	return &commentForm{On: on, Last: last}
}

// sentForm returns the submitted form.
func sentForm(v *shell.Visit) *commentForm {
	line, _ := strconv.Atoi(v.Field("line")) // the API rejects 0
	last, _ := strconv.Atoi(v.Field("last"))
	return &commentForm{File: v.Form.Get("path"), Side: client.ProposalSide(v.Field("side")), Line: line,
		Last: max(last, line), On: v.Field("on"), Body: v.Form.Get("body"), Suggest: v.Field("suggest") != "",
		Suggestion: strings.ReplaceAll(v.Form.Get("suggestion"), "\r\n", "\n")}
}

// reviewer adds comments to a change.
type reviewer struct {
	names map[string]string
	may   bool         // whether the user may comment
	form  *commentForm // the open form; nil = none
}

// addComments adds comments and the open form to the lines of a change, and returns the comments whose lines are gone.
func (r reviewer) addComments(c *change, list []client.ProposalComment) (outdated []commentView) {
	left := map[string][]commentView{} // by file
	for _, one := range list {
		if view := r.view(one); one.Outdated {
			outdated = append(outdated, view)
		} else {
			left[one.Path] = append(left[one.Path], view)
		}
	}
	for i := range c.Files {
		f := &c.Files[i]
		f.Rows = make([]rowView, len(f.List))
		for n, line := range f.List {
			f.Rows[n] = rowView{Line: line}
			if r.may {
				f.Rows[n].On = onOf(i+1, line)
			}
		}
		f.Apart = place(f.Rows, left[f.Path])
		delete(left, f.Path)
		r.open(f)
	}
	for _, views := range left { // comments on files that are not shown
		outdated = append(outdated, views...)
	}
	return outdated
}

func (r reviewer) view(c client.ProposalComment) commentView {
	out := commentView{ProposalComment: c, Who: called(r.names, c.Author, c.AuthorName), May: r.may}
	if by := shell.Text(c.ResolvedBy); by != "" {
		out.Resolver = nameOr(r.names, by)
	}
	if c.Suggestion != nil {
		out.Apply = r.may && !c.Outdated && c.AppliedCommit == nil
		out.Edit = diffview.Compare(c.Quote, strings.TrimSuffix(*c.Suggestion, "\n"), changeLines)
	}
	out.Place = c.Path
	if c.Line != nil && c.EndLine != nil {
		out.Place += ", " + rangeText(c.Side, *c.Line, *c.EndLine)
	}
	return out
}

// called returns a user's name.
func called(names map[string]string, id string, known *string) string {
	if name := nameOr(names, id); name != id || known == nil {
		return name
	}
	return *known
}

// place adds each comment below the last line that it refers to, and returns the comments whose lines are not shown.
func place(rows []rowView, list []commentView) (apart []commentView) {
	for _, c := range list {
		at := -1
		for n, row := range rows {
			if here := row.New; c.Side == client.ProposalSide(proposal.New) && here > 0 && here == *c.EndLine {
				at = n
			} else if here := row.Old; c.Side == client.ProposalSide(proposal.Old) && here > 0 && here == *c.EndLine {
				at = n
			}
		}
		if at < 0 {
			apart = append(apart, c)
			continue
		}
		rows[at].Comments = append(rows[at].Comments, c)
	}
	return apart
}

// open opens the form at its line, if this file contains that line. It prefills a form that was not submitted yet.
func (r reviewer) open(f *fileView) {
	if r.form == nil || !r.may {
		return
	}
	for n, row := range f.Rows {
		if row.On == "" || row.On != r.form.On || r.form.File != "" && r.form.File != f.Path {
			continue
		}
		if r.form.File == "" {
			r.form.File, r.form.Side, r.form.Line = f.Path, client.ProposalSide(proposal.New), row.New
			if row.New == 0 {
				r.form.Side, r.form.Line = client.ProposalSide(proposal.Old), row.Old
			}
			r.form.Suggestion, r.form.Last, n = take(f.Rows, n, r.form.Side, r.form.Last)
		}
		f.Rows[n].Form = r.form
		return
	}
}

// take returns the text of the lines from a row on, up to the line last or the last one before a gap, with the number
// and row of the final line.
func take(rows []rowView, first int, side client.ProposalSide, last int) (text string, line, at int) {
	var lines []string
	for n := first; n < len(rows) && rows[n].Kind != diffview.Gap; n++ {
		here := rows[n].New
		if side == client.ProposalSide(proposal.Old) {
			here = rows[n].Old
		}
		if here == 0 {
			continue
		}
		if len(lines) > 0 && here > last {
			break
		}
		lines, line, at = append(lines, rows[n].Text), here, n
	}
	return strings.Join(lines, "\n"), line, at
}

// reviewProposal handles the buttons of the page.
func reviewProposal(b *shell.Board, v *shell.Visit) error {
	do, about, _ := strings.Cut(v.Field("do"), " ")
	projectID, proposalID := proposalIDs(v)
	switch do {
	case "comment":
		return sendComment(v, sentForm(v))
	case "resolve", "unresolve":
		_, err := v.API.UpdateProposalComment(v.Ctx(), projectID, proposalID, about,
			client.UpdateProposalComment{Resolved: do == "resolve"})
		return reviewed(v, err, "comment-"+do+"d", "#"+about)
	case "apply":
		_, err := v.API.ApplyProposalSuggestion(v.Ctx(), projectID, proposalID, about)
		return reviewed(v, err, "suggestion-applied", "")
	case "update":
		_, err := v.API.UpdateProposalBranch(v.Ctx(), projectID, proposalID)
		return reviewed(v, err, "proposal-updated", "")
	case "keep":
		_, err := v.API.KeepProposalFiles(v.Ctx(), projectID, proposalID,
			client.KeepProposalFiles{Files: v.Form["file"], Commit: v.Field("commit")})
		return reviewed(v, err, "proposal-kept", "")
	case "send":
		job, err := v.API.SendProposalComments(v.Ctx(), projectID, proposalID)
		if err != nil {
			return decidedWith(v, err, "", nil)
		}
		return v.Done(shell.ProjectPath(projectID, shell.AgentPath+"/"+job.ID), "agent-message-sent")
	case "approve":
		_, err := v.API.ApproveProposal(v.Ctx(), projectID, proposalID, client.ApproveProposal{Commit: v.Field("commit")})
		return reviewed(v, err, "proposal-approved", "")
	}
	if _, err := v.API.GetProposal(v.Ctx(), projectID, proposalID); err != nil {
		return err
	}
	return fault.New(fault.Invalid, "invalid_field", "The form does not say what to do.").WithField("do")
}

// sendComment stores a comment. A rejected comment is kept in its form.
func sendComment(v *shell.Visit, f *commentForm) error {
	projectID, proposalID := proposalIDs(v)
	in := client.CreateProposalComment{Path: f.File, Side: f.Side, Line: f.Line, EndLine: f.Last, Body: f.Body,
		Commit: v.Field("commit")}
	if f.Suggest {
		in.Suggestion = &f.Suggestion
	}
	made, err := v.API.CreateProposalComment(v.Ctx(), projectID, proposalID, in)
	if err != nil {
		return decidedWith(v, err, "", f)
	}
	return proposalDone(v, "comment-made", "#"+made.ID)
}

// reviewed redirects to the changed part of the page, or shows the error.
func reviewed(v *shell.Visit, err error, did, at string) error {
	if err != nil {
		return decidedWith(v, err, "", nil)
	}
	return proposalDone(v, did, at)
}

// approvalView is an approval as shown on the page.
type approvalView struct {
	client.ProposalApproval
	Who string
}

// proposalDone redirects to the proposal's page; at is a fragment, "" or "#…".
func proposalDone(v *shell.Visit, did, at string) error {
	projectID, proposalID := proposalIDs(v)
	return v.Done(proposal.Page(url.PathEscape(projectID), url.PathEscape(proposalID))+at, did)
}

// decidedWith renders the proposal with the error of the submitted form; form is a comment that was not stored, or
// nil.
func decidedWith(v *shell.Visit, err error, hint string, form *commentForm) error {
	pageErr := shell.FormError(err)
	if pageErr == nil || pageErr.Status == http.StatusNotFound {
		return err
	}
	if pageErr.Hint == "" {
		pageErr.Hint = hint
	}
	return renderProposal(v, pageErr.Status, pageErr, form)
}
