package agentjob

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Message is one turn of a dialogue that requests a job. Clients of the older API send requests in this form.
type Message struct {
	Role    string // user, system or assistant
	Content string
}

// MaxMessages limits the length of a dialogue.
const MaxMessages = 50

// JoinMessages joins a dialogue into one prompt. It contains the users' requests unchanged, then further instructions,
// then example answers, each under its own heading. If the dialogue is a single user message, that message is the
// prompt.
func JoinMessages(list []Message) (string, error) {
	wrong := func(sentence string) error {
		return fault.New(fault.Invalid, "invalid_field", sentence).WithField("messages")
	}
	if len(list) == 0 || len(list) > MaxMessages {
		return "", wrong("messages must have 1 to 50 messages.")
	}
	byRole := map[string][]string{}
	for _, m := range list {
		switch m.Role {
		case "user", "system", "assistant":
		default:
			return "", wrong("A message's role must be user, system or assistant.")
		}
		if text := strings.TrimSpace(m.Content); text != "" {
			byRole[m.Role] = append(byRole[m.Role], text)
		}
	}
	if len(byRole["user"]) == 0 {
		return "", wrong("messages must contain a message with the role user and text for the agent.")
	}
	parts := byRole["user"]
	if extra := byRole["system"]; len(extra) > 0 {
		parts = append(parts, "Further instructions:\n"+strings.Join(extra, "\n"))
	}
	for _, example := range byRole["assistant"] {
		parts = append(parts, "Example of a reply:\n"+example)
	}
	prompt := strings.Join(parts, "\n\n")
	if n := utf8.RuneCountInString(prompt); n > MaxPrompt {
		return "", wrong(fmt.Sprintf("messages have %d characters in total; the limit is %d.", n, MaxPrompt))
	}
	if _, err := CleanPrompt(prompt); err != nil {
		return "", wrong("messages must be text, without NUL characters.")
	}
	return prompt, nil
}
