package proposal_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const page = "one\ntwo\nthree\ntwo\nfour"

func TestCommentFollowsItsLines(t *testing.T) {
	for name, c := range map[string]struct {
		line, last int
		text       string
		want       int
	}{
		"unchanged":             {2, 2, page, 2},
		"second of equal lines": {4, 4, page, 4},
		"moved down":            {2, 3, "new\nnew\n" + page, 4},
		"nearest of two":        {2, 2, "x\nx\n" + page, 4},
		"moved up":              {5, 5, "one\nfour\n", 2},
		"moved to the start":    {5, 5, "four", 1},
		"windows line ends":     {2, 3, strings.ReplaceAll(page, "\n", "\r\n"), 2},
		"at the end":            {5, 5, page + "\n", 5},
		"changed":               {2, 3, "one\ntwo!\nthree\ntwo\nfour", 0},
		"gone":                  {3, 3, "one\n", 0},
		"empty file":            {1, 1, "", 0},
	} {
		quote, err := proposal.Quote(page, c.line, c.last)
		if err != nil {
			t.Fatal(err)
		}
		made := proposal.Comment{Line: c.line, Last: c.last, Quote: quote}
		if got := made.Find(proposal.Lines(c.text)); got != c.want {
			t.Errorf("%s: found at %d, want %d", name, got, c.want)
		}
	}
}

func TestSuggestionReplacesItsLines(t *testing.T) {
	for name, c := range map[string]struct {
		line, last       int
		with, text, want string
	}{
		"one line":              {2, 2, "2", page, "one\n2\nthree\ntwo\nfour"},
		"more lines":            {2, 3, "2\n\n3\n", page, "one\n2\n\n3\ntwo\nfour"},
		"removed":               {1, 2, "", page, "three\ntwo\nfour"},
		"an empty line":         {3, 3, "\n", page, "one\ntwo\n\ntwo\nfour"},
		"last line":             {5, 5, "5\n6", page, "one\ntwo\nthree\ntwo\n5\n6"},
		"moved":                 {1, 1, "1", "zero\n" + page, "zero\n1\ntwo\nthree\ntwo\nfour"},
		"as a form sends it":    {2, 2, "2\r\n3", page, "one\n2\n3\nthree\ntwo\nfour"},
		"in a file with CR, LF": {1, 1, "a\nb", "one\r\ntwo\r\n", "a\r\nb\r\ntwo\r\n"},
	} {
		quote, err := proposal.Quote(page, c.line, c.last)
		if err != nil {
			t.Fatal(err)
		}
		made := proposal.Comment{Line: c.line, Last: c.last, Quote: quote, Suggests: true, Suggestion: c.with,
			Commit: "c1"}
		if got, ok := made.Apply(c.text, "c1"); !ok || got != c.want {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
		if got, ok := made.Apply("another text\n", "c1"); ok || got != "another text\n" {
			t.Errorf("%s: changed lines were replaced: %q", name, got)
		}
	}
}

// If a file contains the same lines more than once, the nearest ones may not be those that the comment refers to.
func TestAmbiguousSuggestionRequiresItsCommit(t *testing.T) {
	for name, c := range map[string]struct {
		quote, text, commit string
		ok                  bool
	}{
		"two, same commit":     {"two", page, "c1", true},
		"two, branch moved":    {"two", page, "c2", false},
		"one, branch moved":    {"two\nthree", page, "c2", true},
		"overlapping":          {"a\na", "a\na\na\n", "c2", false},
		"the other is gone":    {"two", "one\nthree\ntwo\n", "c2", true}, // these lines may have moved there
		"none, though nearest": {"2", page, "c2", false},
	} {
		made := proposal.Comment{Line: 2, Last: 2, Quote: c.quote, Suggests: true, Suggestion: "new", Commit: "c1"}
		if got, ok := made.Apply(c.text, c.commit); ok != c.ok || ok == (got == c.text) {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
}

func TestImpossibleCommentsAreRefused(t *testing.T) {
	for _, c := range [][2]int{{0, 0}, {6, 6}, {-1, 1}, {2, 1}, {5, 6}} {
		if _, err := proposal.Quote(page, c[0], c[1]); !fault.HasCode(err, "invalid_field") {
			t.Errorf("%v: %v", c, err)
		}
	}
	long := strings.Repeat("x\n", proposal.MaxLines+1)
	if _, err := proposal.Quote(long, 1, proposal.MaxLines+1); !fault.HasCode(err, "invalid_field") {
		t.Error(err)
	}
	if _, err := proposal.Quote(strings.Repeat("x", proposal.MaxQuote+1), 1, 1); !fault.HasCode(err, "invalid_field") {
		t.Error(err)
	}
	fine, big, broken := "x", strings.Repeat("x", proposal.MaxSuggestion+1), "a\xff"
	for name, c := range map[string]struct {
		body       string
		suggestion *string
		side       proposal.Side
		code       string
	}{
		"fine":                 {" text\r\nmore ", nil, proposal.Old, ""},
		"only a suggestion":    {"", &fine, proposal.New, ""},
		"empty":                {" \n", nil, proposal.New, "missing_field"},
		"too long":             {strings.Repeat("x", proposal.MaxBody+1), nil, proposal.New, "invalid_field"},
		"edit of the old side": {"x", &fine, proposal.Old, "invalid_field"},
		"edit too long":        {"x", &big, proposal.New, "invalid_field"},
		"edit is not text":     {"x", &broken, proposal.New, "invalid_field"},
	} {
		body, err := proposal.CheckComment(c.body, c.suggestion, c.side)
		if (err == nil) != (c.code == "") || err != nil && !fault.HasCode(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "fine" && body != "text\nmore" {
			t.Errorf("stored as %q", body)
		}
	}
}

func TestUnresolvedCommentsBecomeAMessage(t *testing.T) {
	list := []proposal.Comment{
		{File: "a.mdx", Side: proposal.New, Line: 3, Last: 4, Quote: "x\ny", Body: "Why?"},
		{File: "a.mdx", Side: proposal.New, Line: 1, Last: 1, Quote: "done", Body: "Done.", ResolvedBy: "mem_1"},
		{File: "b.mdx", Side: proposal.Old, Line: 9, Last: 9, Quote: "z", Body: "Keep it."},
		{File: "b.mdx", Side: proposal.New, Line: 1, Last: 1, Quote: "q", Suggests: true, Suggestion: "Q\r\nR\r\n"},
		{File: "b.mdx", Side: proposal.New, Line: 2, Last: 2, Quote: "r", Suggests: true},
	}
	const want = "Change the files as these comments on your proposal ask.\n" +
		"\na.mdx, lines 3 to 4:\nWhy?\n" +
		"\nb.mdx, line 9 before your change:\nKeep it.\n" +
		"\nb.mdx, line 1:\nWrite instead:\nQ\nR\n" +
		"\nb.mdx, line 2:\nRemove these lines.\n"
	const wantQuotes = "a.mdx, lines 3 to 4:\n> x\n> y\nb.mdx, line 9 before your change:\n> z\nb.mdx, line 1:\n> q\n" +
		"b.mdx, line 2:\n> r\n"
	if got, quotes, n := proposal.Message(list, 1000); got != want || quotes != wantQuotes || n != 4 {
		t.Errorf("%d comments: %q, %q", n, got, quotes)
	}
	if got, quotes, n := proposal.Message(list, 205); n != 1 || len(got+quotes) > 205 ||
		!strings.Contains(got, "There are more comments") {
		t.Errorf("%d comments: %q, %q", n, got, quotes)
	}
	if _, _, n := proposal.Message(list[1:2], 1000); n != 0 {
		t.Errorf("%d comments", n)
	}
}
