package evaluation

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

// Table prints a line for each result, unless only totals are wanted, and the totals.
func Table(w io.Writer, results []Result, sums bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "task\trepository\toutcome\tgrade\tgraders\tsteps\ttokens in\tout\tUS$")
	var sum agentjob.Use
	grades, passed, graders := map[Grade]int{}, 0, 0
	for _, r := range results {
		sum = sum.Add(r.Used)
		grades[r.Grade]++
		good := r.Graders - len(r.Failed)
		passed, graders = passed+good, graders+r.Graders
		if sums {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d/%d\t%s\n", cmp.Or(r.Task.Name, strconv.Itoa(r.Task.Line)), r.Task.Repository,
			cmp.Or(string(r.Outcome), "failed"), r.Grade, good, r.Graders, used(r.Used))
	}
	fmt.Fprintf(t, "%d tasks\t\t\t\t%d/%d\t%s\n", len(results), passed, graders, used(sum))
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print table: %w", err)
	}
	for _, g := range []Grade{Done, Proposed, Asked, Declined, Partly, Missed, Claimed} {
		if _, err := fmt.Fprintf(w, "%s %d\n", g, grades[g]); err != nil {
			return fmt.Errorf("print table: %w", err)
		}
	}
	return nil
}

func used(u agentjob.Use) string {
	return fmt.Sprintf("%d\t%d\t%d\t%.4f", u.Steps, u.InputTokens, u.OutputTokens, float64(u.CostMicros)/1e6)
}
