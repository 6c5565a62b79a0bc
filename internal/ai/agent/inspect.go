package agent

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/summarycheck"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// outcome is the result of a round.
type outcome struct {
	title, summary string
	changes        []draft.Change
	verdict        agenttools.Verdict
	warnings       []guard.Finding
	preview        string // address; "" = none
	came           agentjob.Outcome
	unsupported    []summarycheck.Finding // statements of the summary that the changes do not confirm
	receipts       []project.Receipt      // sources that the changed pages rely on, checked
	different      diag.List              // how translations differ from their sources
}

// tame escapes text in the title and summary that a code host would act on.
func (o *outcome) tame(known map[string]bool) {
	o.title, o.summary = guard.Tame(o.title, nil), guard.Tame(o.summary, known)
}

// inspect refuses changes that must not be proposed, and sends the engine a list of the problems that it can fix (G6,
// G8).
func (t *conversation) inspect(ctx context.Context) (o outcome, again bool, err error) {
	o.title, o.summary = t.said()
	o.title, o.summary = t.scrub.text(o.title), t.scrub.text(o.summary)
	if o.title == "" {
		o.title = agentjob.TitleOf(t.prompt())
	}
	if o.changes, err = t.toolset.Tree.Changes(); err != nil {
		return o, false, err
	}
	var wrong []string
	if o.changes, wrong = t.withoutLinks(o.changes); len(wrong) > 0 {
		return o, true, t.requestRepair(ctx, strings.Join(wrong, "\n"))
	}
	if len(o.changes) == 0 {
		again, err = t.compareSummary(ctx, &o)
		return o, again, err
	}
	if o.verdict, err = t.toolset.Check(ctx); err != nil {
		return o, false, err
	}
	if len(o.verdict.Broken) > 0 {
		return o, true, t.requestRepair(ctx, o.verdict.String())
	}
	if again, err := t.compareTranslations(ctx, &o); again || err != nil {
		return o, again, err
	}
	if again, err := t.compareSummary(ctx, &o); again || err != nil {
		return o, again, err
	}
	rules, err := t.rulesFor(ctx)
	if err != nil {
		return o, false, err
	}
	o.tame(t.rules.KnownHosts)
	var blocked []string
	for _, f := range guard.Check(o.changes, rules) {
		if f.Block {
			blocked = append(blocked, fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text))
		} else {
			o.warnings = append(o.warnings, f)
		}
	}
	if n := len(blocked); n > 0 {
		if n > maxReasons {
			blocked = append(blocked[:maxReasons], fmt.Sprintf("and %d more", n-maxReasons))
		}
		return o, false, fault.New(fault.Invalid, "change_blocked",
			"The changes were not proposed. "+strings.Join(blocked, " "))
	}
	o.receipts = receiptsOf(t.toolset.Cited(), o.changes)
	t.reached("checked")
	return o, false, nil
}

// withoutLinks removes copies of linked files that have the same change as the link's target, because the links show
// that change anyway. Other changes to copies cannot be proposed, since a link has no content of its own; wrong lists
// the copies with such changes.
func (t *conversation) withoutLinks(list []draft.Change) (kept []draft.Change, wrong []string) {
	for _, c := range list {
		real, is := t.linked[c.Path]
		if !is || c.After == nil {
			kept = append(kept, c)
			continue
		}
		if now, err := t.toolset.Tree.ReadFile(real); err != nil || !bytes.Equal(now, c.After) {
			wrong = append(wrong, fmt.Sprintf("%s is a symbolic link to %s: both must have the same content.", c.Path,
				real))
		}
	}
	return kept, wrong
}

const maxReasons = 5 // listed for a failed job

// rulesFor returns the operator's rules, with the hosts that the docs already mention.
func (t *conversation) rulesFor(ctx context.Context) (guard.Rules, error) {
	r := t.rules
	known, err := guard.Hosts(ctx, t.toolset.Base)
	if err != nil {
		return r, fmt.Errorf("collect hosts of the docs: %w", err)
	}
	maps.Copy(known, r.KnownHosts)
	r.KnownHosts, r.Secrets = known, t.scrub.secrets
	return r, nil
}

// requestRepair sends the engine a list of what its changes broke. Once the repair limit is reached, it returns a fault
// instead.
func (t *conversation) requestRepair(ctx context.Context, details string) error {
	if t.repairs() >= t.limits.Repairs || t.engine.Submitted {
		lines := strings.SplitN(details, "\n", maxReasons+2)
		return fault.New(fault.Invalid, "checks_failed", strings.Join(lines[:min(len(lines), maxReasons+1)], " "))
	}
	t.toolset.Reopen()
	return t.add(ctx, agentjob.Entry{Kind: agentjob.Note, Code: feedback,
		Text: "The site has errors with these changes. Fix them and call finish again.\n" +
			guard.Untrusted("findings", details)})
}
