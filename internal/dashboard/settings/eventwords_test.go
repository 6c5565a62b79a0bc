package settings

import (
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/event"
)

func TestEventsBecomeSentences(t *testing.T) {
	named := func(s string) *string { return &s }
	const member, key, project = "mem_aaaaaaaaaaaaaaaaaaaaaaaaaa", "key_aaaaaaaaaaaaaaaaaaaaaaaaaa",
		"prj_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	names := map[string]string{project: "Docs"}
	for _, c := range []struct {
		e    client.Event
		want string
	}{
		{client.Event{Actor: member, ActorName: named("owner@example.com"), Action: "project.create", Target: project,
			Data: map[string]string{"domain": "docs.example.com"}},
			"owner@example.com added the project Docs for docs.example.com"},
		{client.Event{Actor: key, ActorName: named("CI"), Action: "deployment.start", Target: "dep_a",
			Data: map[string]string{"project": project, "kind": "preview", "branch": "words"}},
			"The key CI started an update of Docs (preview) on branch words"},
		{client.Event{Actor: key, Action: "deployment.start", Target: "dep_a",
			Data: map[string]string{"project": "prj_gone", "branch": ""}},
			"The key " + key + " started an update of prj_gone"},
		{client.Event{Actor: "webhook", Action: "deployment.start"}, "The code host started an update"},
		{client.Event{Actor: "operator", Action: "key.revoke", Target: key, TargetName: named("old")},
			"The server's operator revoked the API key old"},
		{client.Event{Actor: "operator", Action: "key.create", Target: key, Data: map[string]string{"label": ""}},
			"The server's operator created the API key " + key},
		{client.Event{Actor: member, Action: "member.remove", Target: member,
			Data: map[string]string{"email": "x@example.com", "role": "viewer"}},
			"x@example.com left the organization (viewer)"},
		{client.Event{Actor: member, Action: "member.sign_in", Target: member,
			Data: map[string]string{"method": "password", "address": "203.0.113.7"}},
			"A former member signed in by password from 203.0.113.7"},
		{client.Event{Actor: "oidc", Action: "member.role", Target: member,
			Data: map[string]string{"email": "x@example.com", "before": "viewer", "after": "admin"}},
			"The identity provider changed the role of x@example.com from viewer to admin"},
		// What events carry is never a pattern itself.
		{client.Event{Actor: "{target}", Action: "organization.rename", Target: "org_a",
			Data: map[string]string{"before": "[{after}]", "after": "{before}]["}},
			"{target} renamed the organization from [{after}] to {before}]["},
		{client.Event{Actor: "system", Action: "comet.seen", Target: "Halley"}, "The server comet.seen Halley"},
		{client.Event{}, " "},
	} {
		if got := EventActor(c.e) + " " + EventText(c.e, names); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// actionWord finds what can only be an action in Go source: a quoted noun.verb with a noun that events have, and no
// setting has.
var actionWord = regexp.MustCompile(
	`"((?:agent|credential|deployment|directory_group|directory_user|domain|export|invitation|key|member|organization|project|proposal|session|person|account|alert|webhook)\.[a-z_]+|mail\.fail|playground\.internal|preview\.(?:remove|report_fail)|feedback\.update)"`)

// Every action that a package records has words, every action that has words is recorded somewhere, and the guide lists
// them all.
func TestEveryActionHasWordsAndIsDocumented(t *testing.T) {
	recorded := map[string]string{}
	internal := os.DirFS("../..")
	err := fs.WalkDir(internal, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.Contains(name, "/storetest/") || strings.HasPrefix(name, "dashboard/") || name == "domain/event/action.go" ||
			strings.HasPrefix(name, "app/config/") { // whose settings have such names too
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
		if !slices.ContainsFunc(eventWords, func(w eventWord) bool { return w.Action == action }) {
			t.Errorf("%s, which %s records, has no words in eventwords.go", action, where)
		}
		if !strings.Contains(string(guide), "`"+action+"`") {
			t.Errorf("%s is not in docs/guides/audit-log.mdx", action)
		}
	}
	for _, w := range eventWords {
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

// FuzzEventWords: whatever an event carries, its sentence is made, and no longer than what it carries allows.
func FuzzEventWords(f *testing.F) {
	f.Add("member.role", "mem_a", "mem_a", "before", "[{x}")
	f.Add("key.create", "", "}", "label", "{label|target}")
	f.Fuzz(func(t *testing.T, action, actor, target, name, value string) {
		e := client.Event{Action: action, Actor: actor, Target: target, Data: map[string]string{name: value}}
		if got := EventText(e, nil); len(got) > 200+len(action)+6*(len(target)+len(value)) {
			t.Errorf("%q", got)
		}
		EventActor(e)
		eventPath(e)
	})
}
