package agentjob

import (
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
)

// MaxPrompt bounds a prompt, in characters.
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

// BranchPrefix begins the name of every branch that an agent may push (G3).
const BranchPrefix = "lectern/"

const (
	branchWords  = 40 // bytes of the prompt in a branch's name
	branchSuffix = 10 // characters of the job's id in it
)

// Branch returns the one branch of a job: lectern/<words of the prompt>-<end of its id>. It depends on nothing else, so
// a retried job uses the same branch.
func Branch(jobID, prompt string) string {
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
	id := strings.ToLower(jobID)
	if _, rest, ok := strings.Cut(id, "_"); ok {
		id = rest
	}
	return BranchPrefix + words + "-" + id[max(0, len(id)-branchSuffix):]
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

const maxTitleWords = 70 // characters of a prompt that become a title, up to the end of a word

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
