package searchindex_test

import (
	"context"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/searchindex"
	"github.com/lectern-docs/lectern/internal/render/pagetext"
)

// words returns pages with words that readers may write differently.
func words() []searchindex.Page {
	text := func(s string) []pagetext.Section { return []pagetext.Section{{Text: s}} }
	return []searchindex.Page{
		{Path: "in", Title: "Sign in", Sections: text("Log in with a password. Set up single sign-on later.")},
		{Path: "log", Title: "The log", Sections: text("What the log says in the morning.")},
		{Path: "backup", Title: "Backups", Sections: text("Copy the data.")},
		{Path: "rollback", Title: "Roll back", Sections: text("Return to the release before.")},
		{Path: "user", Title: "Get user", Keywords: []string{"GET /v1/users/{userId}/keys/{keyId}"}, Reference: true,
			Sections: text("Returns the user's key.")},
		{Path: "users", Title: "Users and keys", Sections: text("Everything about users: v1 keys, v1 users, user ids.")},
		{Path: "commit", Title: "Lockfile", Sections: text("The file must be committed. Verification runs later.")},
	}
}

// Both engines find words written separately or as one, words in another form, and addresses with parameters.
func TestWordVariantsAreFound(t *testing.T) {
	files := build(t, words()...)
	x, b := open(t, files), newBrowser(t, files)
	for text, want := range map[string]string{
		"log in": "in", "how do I log in": "in", "login": "in", "signin": "in", "sign-in": "in",
		"back up": "backup", "how to back up the data": "backup", "rollback": "rollback", "roll-back": "rollback",
		"/v1/users/{userId}/keys/{keyId}": "user", "v1/users/{userId}/keys": "user", "commit": "commit",
		"committing": "commit", "verify": "commit", "verified": "commit",
	} {
		q := searchindex.Query{Text: text}
		hits, err := x.Search(context.Background(), q)
		if err != nil || len(hits) == 0 || hits[0].Path != want {
			t.Errorf("%q: want %s, got %+v %v", text, want, hits, err)
		}
		compare(t, x, b, q)
	}
	for _, text := range []string{"log  in", "log\nin", "Log In.", "in log", "log in in", " log in", "{a}/{b}", "a}/b", "a/{",
		"a/{}", "log in/out", "ing", "being", "seeded", "ration", "nation", "yyyy", "réussed",
		"sign in sign up sign out log out"} {
		compare(t, x, b, searchindex.Query{Text: text})
	}
}
