package shell

import (
	"fmt"
	"strings"
)

// state is the badge of a state. It has an icon and a text, for people who cannot distinguish the colors.
type state struct {
	Name string // name in the API
	Word string
	Icon string
	Tone string // good, bad, busy, warn or "" for neutral
}

// badges maps states to their icons and tones.
var badges = map[string][2]string{
	"success": {"circle-check", "good"}, "completed": {"circle-check", "good"}, "ok": {"circle-check", "good"},
	"live": {"globe", "good"}, "merged": {"git-merge", "good"}, "available": {"circle-check", "good"},
	"on": {"circle-check", "good"}, "answered": {"circle-check", "good"}, "resolved": {"circle-check", "good"},
	"held": {"circle-check", "good"}, "changed": {"circle-check", "good"}, "delivered": {"circle-check", "good"},

	"current": {"circle-check", "good"}, "stale": {"triangle-alert", "warn"}, "passed": {"circle-check", "good"}, "started": {"circle-check", "good"},
	"failure": {"circle-x", "bad"}, "failed": {"circle-x", "bad"}, "error": {"circle-x", "bad"},
	"revoked": {"ban", "bad"}, "expired": {"timer-off", "bad"},

	"in_progress": {"loader-circle", "busy"}, "running": {"loader-circle", "busy"}, "active": {"loader-circle", "busy"},
	"open": {"git-pull-request", "busy"}, "preview": {"eye", "busy"},

	"queued": {"clock", "warn"}, "pending": {"clock", "warn"}, "warning": {"triangle-alert", "warn"}, "failing": {"triangle-alert", "warn"},
	"configurable": {"settings-2", ""}, "rolled back": {"undo-2", "warn"}, "unanswered": {"circle-help", "warn"},
	"missing":        {"circle-dashed", "warn"},
	"not_understood": {"circle-help", "warn"}, "needs_answer": {"circle-help", "warn"}, "stopped": {"ban", "warn"},

	"draft": {"git-pull-request-draft", ""}, "closed": {"git-pull-request-closed", ""}, "archived": {"archive", ""},
	"nothing_to_do": {"circle-minus", ""}, "unavailable": {"circle-minus", ""}, "off": {"circle-minus", ""}, "new": {"circle-dashed", ""},
	"refused": {"circle-minus", ""}, "owner": {"crown", ""}, "admin": {"shield", ""}, "editor": {"pencil", ""},
	"viewer": {"eye", ""}, "guest": {"circle-user-round", ""}, "dismissed": {"circle-minus", ""},
	"skipped": {"circle-minus", ""}, "would_start": {"circle-dashed", ""}, "would_change": {"circle-dashed", ""}, "dry run": {"circle-dashed", ""},
}

// stateOf returns the badge of a state. Used by the template of that name.
func stateOf(name any) state {
	s := fmt.Sprint(name)
	badge := badges[s]
	return state{Name: s, Word: strings.ReplaceAll(s, "_", " "), Icon: badge[0], Tone: badge[1]}
}
