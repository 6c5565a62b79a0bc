package assistanttest

import (
	"fmt"
	"strings"
)

// Tally counts verdicts.
type Tally map[Verdict]int

// All returns the number of verdicts.
func (c Tally) All() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// Share returns the share of questions that were answered correctly or honestly refused, from 0 to 1.
func (c Tally) Share() float64 { return float64(c[Right]+c[Honest]) / float64(max(c.All(), 1)) }

// Group identifies the questions of one kind in one half.
type Group struct {
	Kind      Kind
	KeptApart bool // nothing is tuned with these questions
}

// Results are the verdicts by group.
type Results map[Group]Tally

// Measure judges the answers to all questions. miss may be nil; otherwise it receives the wrong answers in the half
// that is used for tuning.
func Measure(ask func(Judged) Answer, miss func(Judged, Answer, Verdict)) (Results, error) {
	list, err := Questions()
	if err != nil {
		return nil, err
	}
	out := Results{}
	for _, j := range list {
		g := Group{j.Kind(), j.KeptApart()}
		if out[g] == nil {
			out[g] = Tally{}
		}
		a := ask(j)
		v := j.Judge(a)
		out[g][v]++
		if v != Right && v != Honest && miss != nil && !j.KeptApart() {
			miss(j, a, v)
		}
	}
	return out, nil
}

// sum adds up the chosen groups.
func (r Results) sum(chosen func(Group) bool) Tally {
	out := Tally{}
	for g, c := range r {
		for v, n := range c {
			if chosen(g) {
				out[v] += n
			}
		}
	}
	return out
}

// Half returns the verdicts on the half that is used for tuning, or on the one that is kept apart.
func (r Results) Half(keptApart bool) Tally {
	return r.sum(func(g Group) bool { return g.KeptApart == keptApart })
}

// Kind returns the verdicts on the questions of one kind.
func (r Results) Kind(k Kind) Tally { return r.sum(func(g Group) bool { return g.Kind == k }) }

// String formats the results as a table: a row for the questions of each kind in each half, one for each half, and one
// for all.
func (r Results) String() string {
	var out strings.Builder
	out.WriteString("\n| questions | half | number | right | honestly refused | refused, though answered | wrong | " +
		"right or honestly refused |\n|---|---|---|---|---|---|---|---|\n")
	for _, half := range []struct {
		name string
		kept bool
	}{{"tuned with", false}, {"kept apart", true}} {
		for _, k := range Kinds() {
			out.WriteString(row(string(k), half.name, r[Group{k, half.kept}]))
		}
		out.WriteString(row("all", half.name, r.Half(half.kept)))
	}
	out.WriteString(row("all", "both", r.sum(func(Group) bool { return true })))
	return out.String()
}

// row returns a line of the table, or "" if there are no questions. Wrong quotations and claims both count as wrong
// answers.
func row(questions, half string, c Tally) string {
	if c.All() == 0 {
		return ""
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %.1f %% |\n", questions, half, c.All(), c[Right], c[Honest],
		c[Missed], c[Wrong]+c[Claimed], 100*c.Share())
}
