package agentjob

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

// MaxPrompt limits a prompt, in characters.
const MaxPrompt = 32_768

// CleanPrompt validates a person's prompt.
func CleanPrompt(s string) (string, error) {
	n := utf8.RuneCountInString(s)
	switch {
	case strings.TrimSpace(s) == "":
		return "", fault.New(fault.Invalid, "missing_field", "prompt is empty.").WithField("prompt").
			WithHint("Describe what the agent should do.")
	case n > MaxPrompt:
		return "", fault.Newf(fault.Invalid, "invalid_field", "prompt has %d characters; the limit is %d.", n,
			MaxPrompt).WithField("prompt")
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		return "", fault.New(fault.Invalid, "invalid_field", "prompt is not valid text.").WithField("prompt")
	}
	return s, nil
}

// BranchPrefix is the prefix of every branch that an agent may push (G3).
const BranchPrefix = "lectern/"

const (
	branchWords  = 40 // bytes of the prompt in a branch's name
	branchSuffix = 10 // characters of the job's id in a branch's name
)

// Branch returns the first branch of a job: lectern/<words of the prompt>-<end of the job's id>. It depends only on its
// arguments, so a retried job uses the same branch.
func Branch(jobID, prompt string) string { return NextBranch(jobID, prompt, 1) }

// NextBranch returns the branch for a later round of a job whose pull request was merged or closed. In its name, the
// number of the round precedes the end of the id.
func NextBranch(jobID, prompt string, round int) string {
	words := slug.Heading(firstLine(prompt))
	if len(words) > branchWords {
		words = words[:branchWords]
		if i := strings.LastIndexByte(words, '-'); i > 0 {
			words = words[:i]
		}
	}
	words = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, words)
	if words = strings.Trim(words, "-"); words == "" {
		words = "change"
	}
	if round > 1 {
		words += "-" + strconv.Itoa(round)
	}
	id := strings.ToLower(jobID)
	if _, rest, ok := strings.Cut(id, "_"); ok {
		id = rest
	}
	return BranchPrefix + words + "-" + id[max(0, len(id)-branchSuffix):]
}

// BranchOwner returns the end of the id, in lower case, of the job that owns a branch; ok is false if the branch
// does not belong to a job.
func BranchOwner(branch string) (end string, ok bool) {
	rest, ok := strings.CutPrefix(branch, BranchPrefix)
	i := strings.LastIndexByte(rest, '-')
	if !ok || i < 1 || len(rest)-i-1 != branchSuffix {
		return "", false
	}
	end = rest[i+1:]
	return end, strings.Trim(end, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// CheckMessage returns a fault for a message to a job without an agent.
func (j Job) CheckMessage() error {
	if j.Model == Submitted {
		return noEngine()
	}
	return nil
}

func noEngine() error {
	return fault.New(fault.Conflict, "no_engine", "The job's edits were submitted by a program; no agent works on it.").
		WithHint("Submit another edit, or start an agent job.")
}

// CheckEdit refuses an edit that would continue the job if the job is active, has an agent, is a dry run, or has too
// many edits.
func (j Job) CheckEdit() error {
	switch {
	case j.Model != Submitted:
		return fault.New(fault.Conflict, "not_submitted", "An agent works on this job, so it accepts no edits.").
			WithField("jobId").WithHint("Send it a message, or submit the edit without jobId.")
	case j.DryRun:
		return fault.New(fault.Conflict, "dry_run", "The job was a dry run, so it has no branch for another edit.").
			WithField("jobId").WithHint("Submit all changes again, without jobId.")
	case j.Round >= MaxEdits:
		return fault.Newf(fault.Conflict, "too_many_edits", "The job has %d edits, which is the limit.", MaxEdits).
			WithField("jobId").WithHint("Submit the edit without jobId.")
	}
	return CheckEdge(j.Status, Active)
}

// CheckRedo refuses to redo a job that is active or has no open pull request of its own.
func (j Job) CheckRedo() error {
	switch {
	case j.OnPull:
		return fault.New(fault.Conflict, "not_own_branch", "The job added commits to a person's pull request, and a person's branch is never replaced.").
			WithHint("Update the branch, and ask again in a comment.")
	case j.Model == Submitted:
		return noEngine()
	}
	if j.Status == Active {
		return fault.New(fault.Conflict, "wrong_state", "The agent is working on the job.").
			WithHint("Wait until it has finished, or stop it.")
	}
	if err := CheckEdge(j.Status, Active); err != nil {
		return err
	}
	if j.PRNumber == 0 || j.PRState == PullMerged || j.PRState == PullClosed {
		return fault.New(fault.Conflict, "no_open_pull", "The job has no open pull request, so there is nothing to redo.").
			WithHint("Send a message to the job: the agent starts from the newest state.")
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

const maxTitleWords = 70 // characters of a prompt that become a title, cut at the end of a word

// TitleOf returns the first words of a prompt, by which people recognize a job.
func TitleOf(prompt string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	title := ""
	for _, word := range strings.Fields(line) {
		if title != "" && utf8.RuneCountInString(title)+utf8.RuneCountInString(word) > maxTitleWords {
			return title + "…"
		}
		title = strings.TrimSpace(title + " " + clip.Runes(word, maxTitleWords))
	}
	return title
}
