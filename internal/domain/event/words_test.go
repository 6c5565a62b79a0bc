package event_test

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/event"
)

func TestEventsBecomeSentences(t *testing.T) {
	const member, key, project = "mem_aaaaaaaaaaaaaaaaaaaaaaaaaa", "key_aaaaaaaaaaaaaaaaaaaaaaaaaa",
		"prj_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, c := range []struct {
		e     event.Event
		names map[string]string
		want  string
	}{
		{event.Event{Actor: member, Action: "project.create", Target: project,
			Data: map[string]string{"domain": "docs.example.com"}},
			map[string]string{member: "owner@example.com", project: "Docs"},
			"owner@example.com added the project Docs for docs.example.com"},
		{event.Event{Actor: key, Action: "deployment.start", Target: "dep_a",
			Data: map[string]string{"project": project, "kind": "preview", "branch": "words"}},
			map[string]string{key: "CI", project: "Docs"}, "The key CI started an update of Docs (preview) on branch words"},
		{event.Event{Actor: key, Action: "deployment.start", Target: "dep_a",
			Data: map[string]string{"project": "prj_gone", "branch": ""}}, nil,
			"The key " + key + " started an update of prj_gone"},
		{event.Event{Actor: "webhook", Action: "deployment.start"}, nil, "The code host started an update"},
		{event.Event{Actor: "operator", Action: "key.revoke", Target: key}, map[string]string{key: "old"},
			"The server's operator revoked the API key old"},
		{event.Event{Actor: "operator", Action: "key.create", Target: key, Data: map[string]string{"label": ""}}, nil,
			"The server's operator created the API key " + key},
		{event.Event{Actor: member, Action: "member.remove", Target: member,
			Data: map[string]string{"email": "x@example.com", "role": "viewer"}}, nil,
			"x@example.com left the organization (viewer)"},
		{event.Event{Actor: member, Action: "member.sign_in", Target: member,
			Data: map[string]string{"method": "password", "address": "203.0.113.7"}}, nil,
			"A former member signed in by password from 203.0.113.7"},
		{event.Event{Actor: "oidc", Action: "member.role", Target: member,
			Data: map[string]string{"email": "x@example.com", "before": "viewer", "after": "admin"}}, nil,
			"The identity provider changed the role of x@example.com from viewer to admin"},
		// values of events are never parsed as patterns
		{event.Event{Actor: "{target}", Action: "organization.rename", Target: "org_a",
			Data: map[string]string{"before": "[{after}]", "after": "{before}]["}}, nil,
			"{target} renamed the organization from [{after}] to {before}]["},
		{event.Event{Actor: "system", Action: "comet.seen", Target: "Halley"}, nil, "The server comet.seen Halley"},
		{event.Event{}, nil, " "},
	} {
		if got := c.e.Who(c.names) + " " + c.e.Did(c.names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// actionWord matches actions in Go source: a quoted noun.verb whose noun occurs in events but not in settings.
var actionWord = regexp.MustCompile(
	`"((?:agent|automation|credential|deployment|directory_group|directory_user|domain|export|invitation|key|member|organization|project|proposal|receipt|session|person|account|alert|webhook)\.[a-z_]+|mail\.fail|playground\.internal|preview\.(?:remove|report_fail)|feedback\.update)"`)

// Every action that a package records has words, every action with words is recorded somewhere, and the guide lists all
// of them.
func TestEveryActionHasWordsAndIsDocumented(t *testing.T) {
	recorded := map[string]string{}
	internal := os.DirFS("../..")
	err := fs.WalkDir(internal, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.Contains(name, "/storetest/") || strings.HasPrefix(name, "dashboard/") || strings.HasPrefix(name, "domain/event/") ||
			strings.HasPrefix(name, "app/config/") { // settings have similar names
			return err
		}
		raw, err := fs.ReadFile(internal, name)
		for _, m := range actionWord.FindAllSubmatch(raw, -1) {
			recorded[string(m[1])] = name
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../../docs/guides/audit-log.mdx")
	if err != nil {
		t.Fatal(err)
	}
	for action, where := range recorded {
		if !slices.ContainsFunc(event.Words, func(w event.Word) bool { return w.Action == action }) {
			t.Errorf("%s, which %s records, has no words in words.go", action, where)
		}
		if !strings.Contains(string(guide), "`"+action+"`") {
			t.Errorf("%s is not in docs/guides/audit-log.mdx", action)
		}
	}
	for _, w := range event.Words {
		if recorded[w.Action] == "" {
			t.Errorf("nothing records %s", w.Action)
		}
	}
	if known := slices.Sorted(maps.Keys(recorded)); !slices.Equal(event.Actions, known) {
		t.Errorf("event.Actions has %v, recorded are %v", event.Actions, known)
	}
	if len(recorded) < 25 {
		t.Errorf("only %d actions were found: %v", len(recorded), recorded)
	}
}

// FuzzEventWords checks that every event can be described, and that the description's length is bounded by the event's.
func FuzzEventWords(f *testing.F) {
	f.Add("member.role", "mem_a", "mem_a", "before", "[{x}")
	f.Add("key.create", "", "}", "label", "{label|target}")
	f.Fuzz(func(t *testing.T, action, actor, target, name, value string) {
		e := event.Event{Action: action, Actor: actor, Target: target, Data: map[string]string{name: value}}
		if got := e.Did(nil); len(got) > 200+len(action)+6*(len(target)+len(value)) {
			t.Errorf("%q", got)
		}
		e.Who(nil)
		e.Page()
	})
}
