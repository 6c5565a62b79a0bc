package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

type agentCommands struct {
	Run     agentRunCommand     `cmd:"" help:"Let an agent work on a local docs folder, without a server."`
	Start   agentStartCommand   `cmd:"" help:"Start an agent job on a server."`
	Jobs    agentJobsCommand    `cmd:"" help:"List a project's agent jobs, newest first."`
	Show    agentShowCommand    `cmd:"" help:"Show a job and its record of messages and tool calls."`
	Message agentMessageCommand `cmd:"" help:"Send a message to a job. A job that has ended continues."`
	Redo    agentRedoCommand    `cmd:"" help:"Do everything again on the newest base branch, and replace the job's branch."`
	Stop    agentStopCommand    `cmd:"" help:"Stop a job's agent. A message to the job resumes it."`
	Archive agentArchiveCommand `cmd:"" help:"Archive a job. An active job is stopped first."`
}

// ofProject contains the flag of commands for one project.
type ofProject struct {
	Project string `placeholder:"ID|DOMAIN" help:"Project. Default: the organization's only project."`
}

// find returns the project's id.
func (o ofProject) find(ctx context.Context, cl *client.Client) (string, error) {
	if id.Has(id.Project, o.Project) {
		return o.Project, nil
	}
	var all []client.Project
	for page := (client.ListProjectsParams{Limit: 100}); ; {
		list, err := cl.ListProjects(ctx, page)
		if err != nil {
			return "", err
		}
		all = append(all, list.Projects...)
		if list.NextCursor == nil {
			break
		}
		page.Cursor = *list.NextCursor
	}
	var names []string
	for _, p := range all {
		for _, d := range p.Domains {
			if strings.EqualFold(d, o.Project) {
				return p.ProjectID, nil
			}
		}
		names = append(names, strings.Join(p.Domains, ", "))
	}
	switch {
	case o.Project == "" && len(all) == 1:
		return all[0].ProjectID, nil
	case len(all) == 0:
		return "", fault.New(fault.NotFound, "unknown_project", "The organization has no project.").
			WithHint("Create one with lectern projects create.")
	case o.Project == "":
		return "", fault.Newf(fault.Invalid, "missing_field", "The organization has several projects: %s.",
			strings.Join(names, "; ")).WithField("project").WithHint("Choose one with --project.")
	}
	return "", fault.Newf(fault.NotFound, "unknown_project", "Project not found: %q. The domains are: %s.", o.Project,
		strings.Join(names, "; ")).WithField("project")
}

type agentStartCommand struct {
	remote
	ofProject
	Prompt string `required:"" help:"What the agent should do; - reads it from standard input."`
	Branch string `help:"Branch to start from and to propose changes to. Default: the project's branch."`
	Model  string `help:"Model. Default: the server's first model."`
	Draft  bool   `help:"Open the pull request as a draft."`
	DryRun bool   `help:"Check the changes and record them as a patch, but push and propose nothing."`
	Wait   bool   `help:"Wait until the agent has finished, and show what it does."`
}

// Help returns the long description.
func (agentStartCommand) Help() string {
	return `Prints the job's id; with --wait, the address of the pull request, or nothing if nothing was changed. Exits with 1 if the job failed, and with 6 if the agent did not understand the
task or needs an answer. With --dry-run and --wait, it prints the changes as a patch.

    lectern agent start --prompt "fix broken links" --wait
    lectern agent start --project docs.example.com --prompt - --draft < task.txt
    lectern agent start --prompt "rename Widget to Gadget" --dry-run --wait`
}

func (c *agentStartCommand) Run(ctx context.Context, r *run) error {
	prompt, err := promptText(r, c.Prompt)
	if err != nil {
		return err
	}
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	job, err := cl.CreateAgentJob(ctx, projectID,
		client.CreateAgentJob{Prompt: prompt, Branch: c.Branch, Model: c.Model, AsDraft: c.Draft, DryRun: c.DryRun})
	if err != nil {
		return err
	}
	if !c.Wait {
		return c.result(r, job, line(job.ID))
	}
	return c.awaitAgent(ctx, r, cl, projectID, job.ID, 0)
}

// open connects to the server and finds the project.
func (c remote) open(ctx context.Context, r *run, of ofProject) (*client.Client, string, error) {
	cl, err := c.client(r)
	if err != nil {
		return nil, "", err
	}
	projectID, err := of.find(ctx, cl)
	return cl, projectID, err
}

const maxPromptFile = 256 << 10 // bytes

// promptText returns the given prompt, or reads it from standard input for "-".
func promptText(r *run, given string) (string, error) {
	if given != "-" {
		return given, nil
	}
	text, err := io.ReadAll(io.LimitReader(r.Stdin, maxPromptFile))
	if err != nil {
		return "", fmt.Errorf("read prompt: %w", err)
	}
	return string(text), nil
}

// awaitAgent prints a job's transcript, starting after the line numbered after, until the job has ended. Then it prints
// the job's result.
func (c remote) awaitAgent(ctx context.Context, r *run, cl *client.Client, projectID, jobID string, after int64) error {
	if !c.JSON {
		show := func(e client.AgentEntry) {
			if !isPatch(e) { // the result, which is printed at the end
				printEntry(r.Stderr, e)
			}
		}
		if err := followAgent(ctx, show, cl, projectID, jobID, after); err != nil {
			return err
		}
	}
	job, err := cl.WaitAgentJob(ctx, projectID, jobID, nil)
	if job == nil {
		return err
	}
	if !c.JSON && job.Summary != nil && err == nil {
		fmt.Fprintln(r.Stderr, "\n"+harmlessLines(*job.Summary))
	}
	text := func(io.Writer) error { return nil }
	if job.PRLink != nil {
		text = line(*job.PRLink)
	}
	if job.DryRun && err == nil && !c.JSON {
		found, err := cl.FindAgentDryRun(ctx, projectID, jobID)
		if err != nil {
			return err
		}
		if found != nil {
			text = func(w io.Writer) error { _, err := io.WriteString(w, harmlessPatch(found.Patch)); return err }
		}
	}
	if printErr := c.result(r, job, text); printErr != nil {
		return printErr
	}
	if err == nil && job.Outcome != nil {
		return notDone(agentjob.Outcome(*job.Outcome))
	}
	return err
}

// notDone returns the error for an agent that finished without doing its task. It returns nil for other outcomes.
func notDone(came agentjob.Outcome) error {
	switch came {
	case agentjob.NotUnderstood:
		return undoneError{"The agent did not understand the task, or cannot do it. Nothing was changed.",
			"Rephrase the task, or choose another model."}
	case agentjob.NeedsAnswer:
		return undoneError{"The agent needs an answer. Nothing was changed.", "Send it with lectern agent message."}
	}
	return nil
}

// undoneError ends a command whose agent has not done its task.
type undoneError struct{ sentence, hint string }

func (e undoneError) Error() string { return e.sentence }

type agentJobsCommand struct {
	remote
	ofProject
	Status string `enum:"active,completed,failed,archived," default:"" placeholder:"STATUS" help:"Only jobs with this status: active, completed, failed or archived."`
	Limit  int    `default:"50" help:"Maximum number of results."`
}

func (c *agentJobsCommand) Run(ctx context.Context, r *run) error {
	if c.Limit < 1 {
		return fault.New(fault.Invalid, "invalid_field", "--limit must be 1 or more.").WithField("limit")
	}
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	all := client.AgentJobList{Jobs: []client.AgentJob{}}
	for page := (client.ListAgentJobsParams{Status: client.AgentJobStatus(c.Status)}); ; {
		page.Limit = min(c.Limit-len(all.Jobs), 100)
		list, err := cl.ListAgentJobs(ctx, projectID, page)
		if err != nil {
			return err
		}
		all.Jobs, all.NextCursor = append(all.Jobs, list.Jobs...), list.NextCursor
		if list.NextCursor == nil || len(all.Jobs) >= c.Limit {
			break
		}
		page.Cursor = *list.NextCursor
	}
	return c.result(r, all, func(w io.Writer) error {
		var rows [][]string
		for _, j := range all.Jobs {
			came := ""
			if j.Outcome != nil {
				came = string(*j.Outcome)
			}
			rows = append(rows, []string{j.ID, string(j.Status), came, j.Model, day(j.CreatedAt), orNone(j.PRLink),
				harmless(orNone(j.Title))})
		}
		return printTable(w, []string{"JOB ID", "STATUS", "OUTCOME", "MODEL", "CREATED", "PULL REQUEST", "TITLE"}, rows)
	})
}

type agentMessageCommand struct {
	remote
	ofProject
	JobID  string `arg:"" name:"job-id" help:"Id of the job, such as aj_…"`
	Prompt string `required:"" help:"What the agent should do next; - reads it from standard input."`
	Wait   bool   `help:"Wait until the agent has finished, and show what it does."`
}

func (c *agentMessageCommand) Run(ctx context.Context, r *run) error {
	prompt, err := promptText(r, c.Prompt)
	if err != nil {
		return err
	}
	return c.again(ctx, r, c.ofProject, c.JobID, c.Wait, func(cl *client.Client, projectID string) (*client.AgentJob, error) {
		return cl.MessageAgentJob(ctx, projectID, c.JobID, client.MessageAgentJob{Prompt: prompt})
	})
}

type agentRedoCommand struct {
	remote
	ofProject
	JobID string `arg:"" name:"job-id" help:"Id of the job, such as aj_…"`
	Wait  bool   `help:"Wait until the agent has finished, and show what it does."`
}

// Help returns the long description.
func (agentRedoCommand) Help() string {
	return `For a pull request that conflicts with its base branch. The agent gets everything that was asked for again, in order, and starts from the newest state. A branch with somebody
else's commit is not replaced: the job fails and names the commit.`
}

func (c *agentRedoCommand) Run(ctx context.Context, r *run) error {
	return c.again(ctx, r, c.ofProject, c.JobID, c.Wait, func(cl *client.Client, projectID string) (*client.AgentJob, error) {
		return cl.RedoAgentJob(ctx, projectID, c.JobID)
	})
}

// again starts another round of a job and, if wait is set, prints the new lines of its transcript until it has ended.
func (c remote) again(ctx context.Context, r *run, of ofProject, jobID string, wait bool,
	begin func(cl *client.Client, projectID string) (*client.AgentJob, error)) error {
	cl, projectID, err := c.open(ctx, r, of)
	if err != nil {
		return err
	}
	var before int64 // earlier lines are not printed again
	if wait {
		if before, err = lastEntry(ctx, cl, projectID, jobID); err != nil {
			return err
		}
	}
	job, err := begin(cl, projectID)
	if err != nil {
		return err
	}
	if !wait {
		return c.result(r, job, line(job.ID))
	}
	return c.awaitAgent(ctx, r, cl, projectID, job.ID, before)
}

type agentStopCommand struct {
	remote
	ofProject
	JobID string `arg:"" name:"job-id" help:"Id of the job, such as aj_…"`
}

func (c *agentStopCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	job, err := cl.StopAgentJob(ctx, projectID, c.JobID)
	if err != nil {
		return err
	}
	return c.result(r, job, line(job.ID))
}

type agentArchiveCommand struct {
	remote
	ofProject
	JobID string `arg:"" name:"job-id" help:"Id of the job, such as aj_…"`
}

func (c *agentArchiveCommand) Run(ctx context.Context, r *run) error {
	cl, projectID, err := c.open(ctx, r, c.ofProject)
	if err != nil {
		return err
	}
	job, err := cl.ArchiveAgentJob(ctx, projectID, c.JobID)
	if err != nil {
		return err
	}
	return c.result(r, job, line(job.ID))
}
