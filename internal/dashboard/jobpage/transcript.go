package jobpage

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/dashboard/diffview"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

const (
	entriesShown = 500     // newest entries shown at once
	partsRead    = 200     // requests per transcript; the API returns up to 200 entries each
	charsShown   = 20_000  // characters of a text, unless the reader requests all of it
	linesShown   = 400     // lines of a comparison
	bytesShown   = 8 << 20 // total bytes of all texts
)

// transcript is a job's transcript as shown on the page. All of it is text from models, repositories and callers.
type transcript struct {
	Entries []entryView
	Before  int64  // requested position; 0 = the newest
	Earlier int64  // value of before for the preceding part; 0 = none
	Plan    string // the agent's latest plan
	Patch   string // the changes of a dry run, if its newest round has any
	Newest  bool   // whether the end of the transcript is shown
}

// entryView is an entry of the transcript.
type entryView struct {
	ID       string // id of the HTML element
	Sequence int64
	Kind     string // prompt, answer, note, results
	Code     string // of a note
	Who      string // author of a prompt
	Round    int
	Opens    bool // whether it is the first entry of its round on this page
	Words    excerpt
	Said     []diffview.Block // an answer, split into blocks
	Calls    []*callView
	Strays   []client.AgentToolResult // results of calls that are not on this page
	Usage    *client.AgentUsage
	At       time.Time
	size     int // approximate size of its texts in bytes
}

// excerpt is a text that may be truncated.
type excerpt struct {
	Text string
	More int // number of omitted characters
}

// cutText truncates a text, unless all of it was requested.
func cutText(s string, all bool) excerpt {
	n := utf8.RuneCountInString(s)
	if all || n <= charsShown {
		return excerpt{Text: s}
	}
	at := 0
	for range charsShown {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return excerpt{Text: s[:at], More: n - charsShown}
}

// readTranscript loads the newest part of a transcript, or the part before an entry given in the URL.
func readTranscript(v *shell.Visit, projectID, jobID string) (out transcript, err error) {
	before, after := number(v.Query("before")), int64(0)
	if before > entriesShown {
		after = before - entriesShown - 1
	}
	b := &transcriptBuilder{whole: number(v.Query("whole")), calls: map[string]*callView{}}
	for range partsRead {
		part, err := v.API.ListAgentEntries(v.Ctx(), projectID, jobID, client.ListAgentEntriesParams{After: after})
		if err != nil {
			return out, err
		}
		for _, e := range part.Entries {
			if before > 0 && e.Sequence >= before {
				part.Next = nil
				break
			}
			b.add(e)
		}
		if part.Next == nil {
			break
		}
		after = *part.Next
	}
	out = transcript{Entries: b.list, Plan: b.plan, Patch: b.patch, Before: before, Newest: before == 0}
	if len(b.list) > 0 && b.list[0].Sequence > 1 {
		out.Earlier = b.list[0].Sequence
	}
	return out, nil
}

// number parses a number in a URL; anything else is 0.
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// transcriptBuilder converts entries one by one and keeps the newest.
type transcriptBuilder struct {
	whole int64 // number of the entry to show in full
	list  []entryView
	size  int                  // total size of the list in bytes
	calls map[string]*callView // calls waiting for their result, by id
	plan  string
	patch string // of the newest round
}

func (s *transcriptBuilder) add(e client.AgentEntry) {
	all := e.Sequence == s.whole
	out := entryView{ID: fmt.Sprintf("e%d", e.Sequence), Sequence: e.Sequence, Kind: e.Kind, Code: shell.Text(e.Code),
		Round: e.Round, Words: cutText(guard.Unmarked(e.Text), all), Usage: e.Usage, At: e.At}
	if len(s.list) == 0 || s.list[len(s.list)-1].Round != e.Round {
		out.Opens, s.patch = true, ""
	}
	switch e.Kind {
	case "note":
		if out.Code == agentjob.Patch { // shown below the record, just like a proposal's changes
			s.patch, out.Kind, out.Words = e.Text, "silent", excerpt{}
		}
	case "prompt":
		if out.Who = shell.Text(e.AuthorName); out.Who == "" {
			out.Who = shell.Text(e.Author)
		}
	case "answer":
		out.Said = diffview.Blocks(out.Words.Text)
		s.calls = map[string]*callView{} // an answer's calls get their results before the next answer
		for i, c := range e.Calls {
			view := newCallView(fmt.Sprintf("%s-%d", out.ID, i), c, all)
			if view.Name == "plan" && view.Note != "" {
				s.plan = view.Note
			}
			s.calls[c.ID] = view
			out.Calls = append(out.Calls, view)
		}
	case "results":
		for _, r := range e.Results {
			call := s.calls[r.CallID]
			if call == nil || call.Ran {
				r.Text = cutText(guard.Unmarked(r.Text), all).Text
				out.Strays = append(out.Strays, r)
				continue
			}
			call.Ran, call.Failed, call.Result, call.ResultOf = true, r.Failed, cutText(guard.Unmarked(r.Text), all), e.Sequence
		}
		if len(out.Strays) == 0 && out.Words.Text == "" {
			out.Kind = "silent" // everything is shown with the calls
		}
	}
	out.size = sizeOf(e, all)
	s.size += out.size
	s.list = append(s.list, out)
	for len(s.list) > entriesShown || s.size > bytesShown && len(s.list) > 1 {
		s.size -= s.list[0].size
		s.list = append(s.list[:0], s.list[1:]...)
		s.list[0].Opens = true
	}
}

// sizeOf returns the approximate size of an entry on the page in bytes.
func sizeOf(e client.AgentEntry, all bool) int {
	bound := func(n int) int {
		if all {
			return n
		}
		return min(n, utf8.UTFMax*charsShown)
	}
	n := bound(len(e.Text))
	for _, c := range e.Calls {
		n += bound(len(c.Input))
	}
	for _, r := range e.Results {
		n += bound(len(r.Text))
	}
	return n
}

// memberNames returns the names of the organization's members by id.
func memberNames(v *shell.Visit) (map[string]string, error) {
	if !v.InOrganization(shell.Viewer) { // guests cannot see the members
		return map[string]string{}, nil
	}
	list, err := v.API.ListMembers(v.Ctx())
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, m := range list.Members {
		out[m.MemberID] = m.Email
		if name := shell.Text(m.Name); name != "" {
			out[m.MemberID] = name
		}
	}
	return out, nil
}

// nameOr returns a user's name; keys and users who left have only their id.
func nameOr(names map[string]string, id string) string {
	if name := names[id]; name != "" {
		return name
	}
	return id
}
