package cli

import (
	"strings"
	"testing"
)

// reviewProposal comments on the only proposal of a project and approves it, using only the command line.
func (s served) reviewProposal(t *testing.T, project string) {
	t.Helper()
	call := func(args ...string) string {
		t.Helper()
		return strings.TrimSpace(s.call(t, append([]string{"proposals"}, append(args, "--project", project)...)...).want(t, 0).
			stdout)
	}
	contains := func(name, text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is missing in %s", name, part, text)
			}
		}
	}
	list := call("list")
	contains("list", list, "PROPOSAL ID", "open", "lectern/")
	p := strings.Fields(strings.Split(list, "\n")[1])[0]
	contains("patch", call("show", p, "--patch"), "--- a/index.mdx", "+[Start](/guides/start).")
	comment := call("comment", p, "--file", "index.mdx", "--line", "5", "--text", "Better?", "--suggest", "Begin.")
	call("approve", p)
	contains("show", call("show", p), "changed index.mdx +1 -1", "approved by ", comment+" open by ", "index.mdx:5",
		"Better?", "suggested: Begin.")
	call("resolve", p, comment)
	contains("resolved", call("show", p), comment+" resolved by ")
	call("resolve", p, comment, "--undo")
	if commit := call("apply", p, comment); len(commit) != 40 {
		t.Errorf("applied as %q", commit)
	}
	contains("applied", call("show", p), comment+" applied by ", "(the branch has changed since)")
	contains("patch", call("show", p, "--patch"), "+Begin.")
	s.call(t, "proposals", "keep", p, "index.mdx", "--project", project).want(t, 2) // it is the only file
	s.call(t, "proposals", "update", p, "--project", project).want(t, 5)            // it is not behind
	s.call(t, "proposals", "send", p, "--project", project).want(t, 5)              // all are resolved
	if got := call("merge", p); got != "merged" {
		t.Errorf("the proposal is %s", got)
	}
	s.call(t, "proposals", "close", p, "--project", project).want(t, 5)
	s.call(t, "proposals", "approve", p, "--project", project, "--commit", "abc").want(t, 5)
}
