package git

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// Proposal is a commit to make and the branch to push it to.
type Proposal struct {
	Parent string // commit that the changes are made on
	// what was pushed to the branch for an earlier state of these changes: the commit goes on top of it; "" = nothing
	// was
	Last string
	// Replace puts the commit on Parent instead, in place of the whole branch, which must be at Last. The caller has made
	// sure that nobody else's commits are below Last.
	Replace bool
	Branch  string // begins with agentjob.BranchPrefix, unless it is a person's
	// the branch is a person's, who asked for the commit: it must exist, with Parent or Last as its head
	Existing bool
	Message  string
	// paths below the remote's folder; only Path and After are looked at. None, with Last, reverts what Last had
	// changed
	Changes []draft.Change
	When    time.Time // of the commit, to the second
	Author  string    // "" = Lectern
	Email   string    // "" = a placeholder address
}

// Propose commits the changes and pushes the commit to the remote's branch, which it makes if needed. It forces nothing but
// a replacement, and that only over the commit that the caller names (G3). The same proposal gives the same commit wherever and whenever it is made, and a branch that is already there is
// success: after a crash anywhere, calling it again comes to the same end (G7).
//
// Faults: path_not_allowed, bad_branch, no_change, commit_not_found (the parent), branch_moved (somebody else's commits
// are on the branch), branch_gone (a person's branch), push_refused (the host's own rules), and those of a fetch.
func (c *Cache) Propose(ctx context.Context, r Remote, p Proposal) (commit string, err error) {
	if err := p.check(); err != nil {
		return "", err
	}
	err = c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		if _, err := j.obtain(ctx, m, p.Parent); err != nil {
			return err
		}
		tip, found, err := j.tip(ctx, p.Branch)
		if err != nil {
			return err
		}
		if p.Existing && !found {
			return fault.Newf(fault.Conflict, "branch_gone", "The branch %s does not exist any more.", p.Branch)
		}
		onTop := found && tip != p.Parent && p.Last != "" && p.Last != p.Parent && !p.Replace
		if onTop {
			if _, err := j.obtain(ctx, m, p.Last); err != nil {
				return err
			}
		}
		b, err := j.newWorkRepo(ctx, objectsOf{common: m.path, format: formatOf(p.Parent)})
		if err != nil {
			return err
		}
		defer b.close()
		commit, err = b.propose(ctx, p, tip, onTop)
		return err
	})
	if err != nil {
		return "", err
	}
	return commit, nil
}

func (p Proposal) check() error {
	rest, ok := strings.CutPrefix(p.Branch, agentjob.BranchPrefix)
	if (!ok || rest == "") && !p.Existing || p.Branch == "" || ValidateBranch(p.Branch) != nil {
		return fault.Newf(fault.Forbidden, "bad_branch", "An agent may not push to the branch %q.", p.Branch).
			WithHint("The name must start with " + agentjob.BranchPrefix + ".")
	}
	if p.Existing && p.Replace {
		return fault.Newf(fault.Forbidden, "bad_branch", "The branch %q is a person's and is never replaced.", p.Branch)
	}
	if err := checkCommit(p.Parent); err != nil {
		return err
	}
	if err := checkCommit(p.Last); p.Last != "" && err != nil {
		return err
	}
	if len(p.Changes) == 0 && (p.Last == "" || p.Replace) {
		return errNoChange
	}
	for _, c := range p.Changes {
		if err := checkChange(c.Path); err != nil {
			return err
		}
	}
	return nil
}

var errNoChange = fault.New(fault.Invalid, "no_change", "The changes do not modify any file.")

// propose makes the commit and pushes it. tip is where the branch is; onTop says that an earlier commit of ours may be
// there.
func (b *workRepo) propose(ctx context.Context, p Proposal, tip string, onTop bool) (string, error) {
	tree, err := b.stage(ctx, p.Parent, p.Changes)
	if err != nil {
		return "", err
	}
	says := stamp{message: p.Message, author: p.Author, email: p.Email, when: p.When}
	commit, err := b.commit(ctx, tree, says, p.Parent)
	if err != nil || commit == tip {
		return commit, err
	}
	under := p.Parent
	if onTop {
		under = p.Last
		if commit, err = b.commit(ctx, tree, says, p.Last); err != nil {
			return "", err
		}
	}
	before, err := b.resolve(ctx, under+"^{tree}")
	switch {
	case err != nil:
		return "", err
	case tree != before && p.Replace:
		return commit, b.replace(ctx, commit, p.Last, p.Branch, tip)
	case tree != before:
		return commit, b.push(ctx, commit, under, p.Branch, tip)
	case !onTop:
		return "", errNoChange
	case tip != p.Last:
		return "", branchMoved(p.Branch)
	}
	return p.Last, nil
}

// stamp is what a commit says beside its tree and parents.
type stamp struct {
	message, author, email string
	when                   time.Time
	ownCommitter           bool // Lectern commits what the author wrote; false = the author does
}

const (
	ownName   = "Lectern"           // who commits what nobody else does
	noAddress = "lectern@localhost" // of those who have none
)

// commit makes a commit. It depends on its arguments alone.
func (b *workRepo) commit(ctx context.Context, tree string, s stamp, parents ...string) (string, error) {
	name, email, at := orElse(plainWord(s.author), ownName), orElse(plainWord(s.email), noAddress), rawTime(s.when)
	env := []string{"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + email, "GIT_AUTHOR_DATE=" + at}
	if s.ownCommitter {
		name, email = ownName, noAddress
	}
	env = append(env, "GIT_COMMITTER_NAME="+name, "GIT_COMMITTER_EMAIL="+email, "GIT_COMMITTER_DATE="+at)
	args := []string{"commit-tree", "--no-gpg-sign", tree}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	out, err := b.run(ctx, env, strings.NewReader(plainMessage(s.message)), append(args, "-F", "-")...)
	if err != nil {
		return "", err
	}
	return b.id(out)
}

// maxMessage bounds a commit's message in bytes.
const maxMessage = 64 << 10

// plainMessage brings a text to what a commit can hold.
func plainMessage(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
	if len(s) > maxMessage {
		s = s[:maxMessage]
		for !utf8.ValidString(s[max(0, len(s)-utf8.UTFMax):]) {
			s = s[:len(s)-1]
		}
	}
	return orElse(strings.TrimSpace(s), "Change the documentation") + "\n"
}

// plainWord leaves out what would end a name or an address in a commit.
func plainWord(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '<' || r == '>' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Trim(strings.TrimSpace(s), `.,:;"\' `)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
