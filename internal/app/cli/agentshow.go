package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
)

type agentShowCommand struct {
	remote
	ofProject
	JobID  string `arg:"" name:"job-id" help:"Id of the job, such as aj_…"`
	Follow bool   `help:"Follow the job until it has ended."`
}

// Help returns the long description.
func (agentShowCommand) Help() string {
	return `Prints the job and its record: the request, the model's messages, the tool calls and the result. With --json
it prints only the job.

    lectern agent show aj_aaaaaaaaaaaaaaaaaaaaaaaaaa --follow`
}

func (c *agentShowCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	job, err := cl.GetAgentJob(ctx, projectID, c.JobID)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(r.Stdout, job)
	}
	printAgentJob(r.Stdout, *job)
	if c.Follow || job.Status.Ended() {
		err = followAgent(ctx, func(e client.AgentEntry) { printEntry(r.Stdout, e) }, cl, projectID, c.JobID, 0)
		var failed *client.FailedError
		if job.Status.Ended() && errors.As(err, &failed) {
			return nil // already reported
		}
		return err
	}
	// Print the existing transcript of an active job. The stream stops at its first event about the job itself.
	err = cl.StreamAgentJob(ctx, projectID, c.JobID, 0,
		client.AgentEvents{Entry: func(e client.AgentEntry) error { printEntry(r.Stdout, e); return nil },
			Job: func(client.AgentJob) error { return errEnough }})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

var errEnough = errors.New("enough")

// lastEntry returns the number of the last line of a job's transcript.
func lastEntry(ctx context.Context, cl *client.Client, projectID, jobID string) (last int64, err error) {
	err = cl.StreamAgentJob(ctx, projectID, jobID, 0,
		client.AgentEvents{Entry: func(e client.AgentEntry) error { last = e.Sequence; return nil },
			Job: func(client.AgentJob) error { return errEnough }})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return last, err
}

// followAgent shows a job's transcript, starting after the line numbered last, until the job has ended. It reconnects
// if the stream breaks off.
func followAgent(ctx context.Context, show func(client.AgentEntry), cl *client.Client, projectID, jobID string, last int64) error {
	for {
		before := last
		err := cl.StreamAgentJob(ctx, projectID, jobID, last,
			client.AgentEvents{Entry: func(e client.AgentEntry) error {
				last = e.Sequence
				show(e)
				return nil
			}})
		if !errors.Is(err, io.ErrUnexpectedEOF) || last == before {
			var failed *client.FailedError
			if errors.As(err, &failed) {
				return nil // reported by the caller, which waits for the job
			}
			return err
		}
	}
}

func printAgentJob(w io.Writer, j client.AgentJob) {
	came := ""
	if j.Outcome != nil && string(*j.Outcome) != string(j.Status) {
		came = " (" + strings.ReplaceAll(string(*j.Outcome), "_", " ") + ")"
	}
	if j.DryRun {
		came += "  dry run"
	}
	fmt.Fprintf(w, "%s  %s%s  %s\n", j.ID, j.Status, came, j.Model)
	for _, row := range []struct {
		name  string
		value *string
	}{{"repository", &j.Source.Repository}, {"branch", j.Source.Ref}, {"pull request", j.PRLink}, {"title", j.Title},
		{"error", j.Error}} {
		if row.value != nil && *row.value != "" {
			fmt.Fprintf(w, "%-13s %s\n", row.name, harmless(*row.value))
		}
	}
	if u := j.Usage; u.Steps > 0 {
		fmt.Fprintf(w, "%-13s %s, %d tokens in, %d out", "used", count(u.Steps, "step"), u.InputTokens, u.OutputTokens)
		if u.CostUSD > 0 {
			fmt.Fprintf(w, ", $%.4f", u.CostUSD)
		}
		fmt.Fprintln(w)
	}
}

const maxShownInput = 200 // characters of a call's input

// printEntry prints a transcript line without terminal control characters.
func printEntry(w io.Writer, e client.AgentEntry) {
	text := harmlessLines(strings.TrimSpace(guard.Unmarked(e.Text)))
	switch e.Kind {
	case "prompt":
		fmt.Fprintf(w, "\n> %s\n", strings.ReplaceAll(text, "\n", "\n> "))
	case "answer":
		if text != "" {
			fmt.Fprintf(w, "\n%s\n", text)
		}
		for _, c := range e.Calls {
			input := []rune(harmless(string(c.Input)))
			if len(input) > maxShownInput {
				input = append(input[:maxShownInput], '…')
			}
			fmt.Fprintf(w, "  %s %s\n", harmless(c.Name), string(input))
		}
	case "results":
		for _, result := range e.Results {
			if result.Failed {
				fmt.Fprintf(w, "    failed: %s\n", harmless(guard.Unmarked(result.Text)))
			}
		}
	default:
		if isPatch(e) {
			fmt.Fprintf(w, "\n%s", harmlessPatch(e.Text))
			break
		}
		fmt.Fprintf(w, "- %s\n", text)
	}
}

// harmlessPatch is like harmlessLines, but keeps the line endings that a patch needs.
func harmlessPatch(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		text, crlf := strings.CutSuffix(l, "\r")
		if lines[i] = harmless(text); crlf {
			lines[i] += "\r"
		}
	}
	return strings.Join(lines, "\n")
}

// isPatch reports whether an entry contains the changes made by a dry run.
func isPatch(e client.AgentEntry) bool {
	return e.Kind == "note" && e.Code != nil && *e.Code == agentjob.Patch
}

// shown converts an entry of a local agent to the API's form.
func shown(e agentjob.Entry) client.AgentEntry {
	out := client.AgentEntry{Sequence: e.Sequence, Kind: string(e.Kind), Text: e.Text}
	for _, c := range e.Calls {
		out.Calls = append(out.Calls, client.AgentToolCall{ID: c.ID, Name: c.Name, Input: c.Input})
	}
	for _, res := range e.Results {
		out.Results = append(out.Results,
			client.AgentToolResult{CallID: res.CallID, Text: res.Text, Failed: res.Failed})
	}
	return out
}

// harmlessLines is like harmless, for multi-line text.
func harmlessLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = harmless(lines[i])
	}
	return strings.Join(lines, "\n")
}
