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
	// the commit that was pushed to the branch for an earlier state of these changes: the new commit goes on top of
	// it; "" = none
	Last string
	// Replace replaces the whole branch, which must be at Last, by the commit on top of Parent. The caller has made
	// sure that Last has no commits of other people.
	Replace bool
	Branch  string // starts with agentjob.BranchPrefix, unless the branch belongs to a person
	// the branch belongs to the person who requested the commit: it must exist, with Parent or Last as its head
	Existing bool
	Message  string
	// paths relative to the remote's folder; only Path and After are used. An empty list with Last reverts the
	// changes of Last
	Changes []draft.Change
	When    time.Time // of the commit, to the second
	Author  string    // "" = Lectern
	Email   string    // "" = a placeholder address
}

// Propose commits the changes and pushes the commit to the remote's branch, which it creates if necessary. It
// force-pushes only to replace a branch, and only over the commit that the caller names (G3). The same proposal
// always produces the same commit, and a branch that already has it is success: after a crash at any point, calling
// Propose again leads to the same result (G7).
//
// Faults: path_not_allowed, bad_branch, no_change, commit_not_found (the parent), branch_moved (somebody else's
// commits are on the branch), branch_gone (a person's branch), push_refused (the host's own rules), and those of a
// fetch.
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
		return fault.Newf(fault.Forbidden, "bad_branch", "The branch %q belongs to a person and is never replaced.", p.Branch)
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

// propose makes the commit and pushes it. tip is the branch's current commit; onTop means that an earlier commit of
// ours may be on the branch.
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

// stamp is a commit's metadata: everything except tree and parents.
type stamp struct {
	message, author, email string
	when                   time.Time
	ownCommitter           bool // the committer is Lectern rather than the author
}

const (
	ownName   = "Lectern"           // committer of commits that have no other
	noAddress = "lectern@localhost" // address of authors and committers without one
)

// commit makes a commit that depends only on its arguments.
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

// maxMessage limits a commit's message in bytes.
const maxMessage = 64 << 10

// plainMessage converts a text to a valid commit message.
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

// plainWord removes characters that would end a name or an address in a commit.
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
