package main

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// part counts the oracle's items, and those that are missing from our pages.
type part struct{ Oracle, Missing int }

// totals are the oracle's figures for a site.
type totals struct {
	Pages, Missing, Skipped, Perfect int
	Words                            struct {
		Oracle, Missing, Extra, MatchedWhereExtraCounts int
	}
	Code, Headings, Links part
}

// tally is one line of the report.
type tally struct {
	built, failed        int
	unknown, unevaluated int // findings: unknown components, expressions and code without a value
	errors, warnings     int
	totals
	look
}

const header = "site                                built failed  unknown  unevaluated  compared missing skipped " +
	"perfect   recall precision     code headings    links selectors  met unused dead utility later missed    share unreadable"

func (t *tally) finding(d diag.Diagnostic) {
	switch d.Code {
	case "unknown-component":
		t.unknown++
	case "undefined-name", "expression-failed", "script-failed", "script-limit", "value-not-shown":
		t.unevaluated++
	}
	if d.Severity == diag.Error {
		t.errors++
	} else {
		t.warnings++
	}
}

func (t *tally) add(o tally) {
	t.built, t.failed = t.built+o.built, t.failed+o.failed
	t.unknown, t.unevaluated = t.unknown+o.unknown, t.unevaluated+o.unevaluated
	t.errors, t.warnings = t.errors+o.errors, t.warnings+o.warnings
	t.Pages, t.Missing, t.Skipped, t.Perfect = t.Pages+o.Pages, t.Missing+o.Missing, t.Skipped+o.Skipped,
		t.Perfect+o.Perfect
	t.Words.Oracle, t.Words.Missing = t.Words.Oracle+o.Words.Oracle, t.Words.Missing+o.Words.Missing
	t.Words.Extra, t.Words.MatchedWhereExtraCounts = t.Words.Extra+o.Words.Extra, t.Words.MatchedWhereExtraCounts+
		o.Words.MatchedWhereExtraCounts
	if t.outcomes == nil {
		t.outcomes = map[outcome]int{}
	}
	for f, n := range o.outcomes {
		t.outcomes[f] += n
	}
	t.texts, t.unreadable = t.texts+o.texts, t.unreadable+o.unreadable
	for _, p := range []struct {
		to   *part
		from part
	}{{&t.Code, o.Code}, {&t.Headings, o.Headings}, {&t.Links, o.Links}} {
		p.to.Oracle, p.to.Missing = p.to.Oracle+p.from.Oracle, p.to.Missing+p.from.Missing
	}
}

func (t tally) line(name string) string {
	kept := t.Words.MatchedWhereExtraCounts
	const format = "%-35s %5d %6d %8d %12d %9d %7d %7d %7d %8s %9s %8s %8s %8s %9d %4d %6d %4d %7d %5d %6d %8s %10d"
	return fmt.Sprintf(format, name, t.built, t.failed, t.unknown, t.unevaluated,
		t.Pages, t.Missing, t.Skipped, t.Perfect, share(t.Words.Missing, t.Words.Oracle),
		share(t.Words.Extra, kept+t.Words.Extra),
		share(t.Code.Missing, t.Code.Oracle), share(t.Headings.Missing, t.Headings.Oracle),
		share(t.Links.Missing, t.Links.Oracle), t.selectors(),
		t.outcomes[met], t.outcomes[unused], t.outcomes[dead], t.outcomes[utility], t.outcomes[later], t.outcomes[missed],
		share(t.outcomes[missed], t.outcomes[met]+t.outcomes[missed]), t.unreadable)
}

func (l look) selectors() (sum int) {
	for _, n := range l.outcomes {
		sum += n
	}
	return sum
}

// share returns the percentage that is not missing, rounded down so that 100.00 means all.
func share(missing, all int) string {
	if all == 0 {
		return "-"
	}
	hundredths := int(float64(all-missing) / float64(all) * 10_000)
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}
