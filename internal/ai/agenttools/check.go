package agenttools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// mustHold lists warnings that a change must not cause, such as broken links. Errors are never permitted.
var mustHold = []string{"broken-link", "broken-anchor", "broken-image", "broken-redirect", "bad-link", "unsafe-link",
	"missing-page"}

const maxShown = 40 // findings per result

// nowhere is a sink that discards everything.
type nowhere struct{}

func (nowhere) Put(context.Context, output.File) error { return nil }

// problems counts findings by content rather than position, so that a finding on a page that was moved does not count
// as new.
type problems map[[2]string]int

func count(list diag.List) problems {
	out := problems{}
	for _, f := range list {
		out[[2]string{f.Code, f.Message}]++
	}
	return out
}

// Verdict is the result of building the draft.
type Verdict struct {
	Pages  int
	Broken diag.List // findings caused by the changes that prevent a proposal
	Worse  diag.List // other findings caused by the changes
	Before int       // number of earlier findings

	Samples int // number of code samples of changed pages that ran
}

// Check builds the draft and reports what the changes have broken (G8).
func (d *Toolset) Check(ctx context.Context) (Verdict, error) {
	if !d.judged {
		report, err := d.Build(ctx, d.Base, false, nowhere{})
		if err != nil {
			return Verdict{}, fmt.Errorf("build the site as it was: %w", err)
		}
		d.base, d.judged = count(report.Diagnostics), true
	}
	report, err := d.Build(ctx, d.Tree, false, nowhere{})
	if err != nil {
		return Verdict{}, fmt.Errorf("build the site: %w", err)
	}
	v := Verdict{Pages: report.Pages}
	seen := problems{}
	for _, f := range report.Diagnostics {
		key := [2]string{f.Code, f.Message}
		seen[key]++
		switch {
		case seen[key] <= d.base[key]:
			v.Before++
		case f.Severity == diag.Error || slices.Contains(mustHold, f.Code):
			v.Broken = append(v.Broken, f)
		default:
			v.Worse = append(v.Worse, f)
		}
	}
	return v, d.runSamples(ctx, &v)
}

// runSamples runs the code samples of the changed pages. A sample that already failed on the unchanged page is not
// attributed to the changes.
func (d *Toolset) runSamples(ctx context.Context, v *Verdict) error {
	if d.Samples == nil {
		return nil
	}
	found, ran, err := d.Samples(ctx, d.Tree, d.Base)
	if errors.Is(err, ErrSamplesNotRun) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("run code samples: %w", err)
	}
	if v.Samples = ran; len(found) == 0 {
		return nil
	}
	before, _, err := d.Samples(ctx, d.Base, d.Tree)
	if errors.Is(err, ErrSamplesNotRun) { // it is unknown which samples failed before
		v.Before += len(found)
		return nil
	}
	if err != nil {
		return fmt.Errorf("run code samples of the pages as they were: %w", err)
	}
	known, seen := count(before), problems{}
	for _, f := range found {
		key := [2]string{f.Code, f.Message}
		seen[key]++
		switch {
		case seen[key] <= known[key]:
			v.Before++
		case f.Severity == diag.Error:
			v.Broken = append(v.Broken, f)
		default:
			v.Worse = append(v.Worse, f)
		}
	}
	return nil
}

// String formats the verdict for a person.
func (v Verdict) String() string { return v.render(func(findings string) string { return findings }) }

// Marked formats the verdict for a model: text that findings quote from pages is marked as untrusted (G5).
func (v Verdict) Marked() string {
	return v.render(func(findings string) string { return guard.Untrusted("findings", guard.Visible(findings)) + "\n" })
}

func (v Verdict) render(quote func(findings string) string) string {
	var b strings.Builder
	if len(v.Broken) == 0 {
		fmt.Fprintf(&b, "The site builds, with %d pages, and the changes break no link.", v.Pages)
	} else {
		fmt.Fprintf(&b, "The changes cause %d problems:\n%s", len(v.Broken), quote(shown(v.Broken)))
	}
	if v.Samples > 0 {
		fmt.Fprintf(&b, "\nCode samples of changed pages that ran: %d.", v.Samples)
	}
	if len(v.Worse) > 0 {
		fmt.Fprintf(&b, "\nOther new findings: %d\n%s", len(v.Worse), quote(shown(v.Worse)))
	}
	if v.Before > 0 {
		fmt.Fprintf(&b, "\nFindings that existed before: %d.", v.Before)
	}
	return b.String()
}

func shown(list diag.List) string {
	var b strings.Builder
	show(&b, list)
	return b.String()
}

func show(b *strings.Builder, list diag.List) {
	for i, f := range list {
		if i == maxShown {
			fmt.Fprintf(b, "… and %d more\n", len(list)-i)
			return
		}
		b.WriteString(f.String())
		if f.Hint != "" {
			b.WriteString(" " + f.Hint)
		}
		b.WriteByte('\n')
	}
}

func checkTool() tool {
	return tool{Tool: Tool{Name: "check",
		Description: "Builds the site with the changes and reports what they broke: errors, links, anchors, images, marked code samples if the server runs them. Call it before finish.",
		Input:       schema(nil, map[string]property{"all": {"boolean", "Also list findings that existed before."}})},
		run: (*Toolset).check}
}

func (d *Toolset) check(ctx context.Context, raw json.RawMessage) (string, error) {
	var in struct {
		All bool `json:"all"`
	}
	if err := decode(raw, &in); err != nil {
		return "", err
	}
	v, err := d.Check(ctx)
	if err != nil {
		return "", err
	}
	text := v.Marked()
	different, err := d.CheckTranslations(ctx)
	if err != nil {
		return "", err
	}
	if len(different) > 0 {
		text += "\nTranslations that differ from their sources:\n" +
			guard.Untrusted("findings", guard.Visible(shown(different)))
	}
	if !in.All {
		return text, nil
	}
	report, err := d.Build(ctx, d.Tree, false, nowhere{})
	if err != nil {
		return "", fmt.Errorf("build the site: %w", err)
	}
	return fmt.Sprintf("%s\nAll %d findings:\n%s", text, len(report.Diagnostics),
		guard.Untrusted("findings", guard.Visible(shown(report.Diagnostics)))), nil
}
