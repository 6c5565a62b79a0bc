package github_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
)

func appOptions(t *testing.T, host *forgetest.AppHost) github.Options {
	app := github.App{ID: "12345", PrivateKey: host.Key}
	client := forgetest.Client(t)
	tokens := github.NewTokens(client, time.Now)
	return github.Options{API: host.URL + "/api/v3", Owner: "acme", Name: "docs", HTTP: client, Now: time.Now, App: &app,
		Token: func(ctx context.Context) (string, error) {
			return tokens.Find(ctx, app, host.URL+"/api/v3", "acme", "docs", github.Use{Hooks: true})
		}}
}

// An App lists the repositories of the account that its credential is for, or of all accounts that installed it.
func TestAppListsRepositoriesOfItsInstallations(t *testing.T) {
	host := forgetest.NewAppHost(t)
	for owner, want := range map[string]int{"acme": 130, "ACME": 130, "other": 1, "": 131} {
		opt := appOptions(t, host)
		opt.Owner = owner
		var names []string
		for q := (connect.Query{Limit: 60}); ; {
			page, err := github.NewAppAccount(opt).List(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range page.Repositories {
				names = append(names, r.Name)
			}
			if q.Cursor = page.Next; q.Cursor == "" {
				break
			}
		}
		slices.Sort(names)
		if all := len(names); all != want || len(slices.Compact(names)) != want {
			t.Errorf("%q: %d repositories", owner, all)
		}
	}
	_, err := github.NewAppAccount(appOptions(t, host)).List(t.Context(), connect.Query{Limit: 1, Cursor: "7:1.0"})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("a cursor of another App: %v", err)
	}
	host.Install()
	if _, err := github.NewAppAccount(appOptions(t, host)).
		List(t.Context(), connect.Query{Limit: 1}); !fault.HasCode(err, "app_not_installed") {
		t.Error(err)
	}
}

func TestAppReportsItsPermissions(t *testing.T) {
	host := forgetest.NewAppHost(t)
	opt := appOptions(t, host)
	if who, err := github.NewAppAccount(opt).Identify(t.Context()); err != nil || who.Name != "lectern-docs" ||
		len(who.Lacks) > 0 {
		t.Errorf("got %+v, %v", who, err)
	}
	hook := connect.Hook{URL: "https://docs.example.com/v1/webhook/prj_a", Secret: "s"}
	if outcome, err := github.New(opt).PutHook(t.Context(), hook); err != nil || outcome != connect.Created {
		t.Errorf("got %v, %v", outcome, err)
	}
	host.Take("repository_hooks")
	who, err := github.NewAppAccount(opt).Identify(t.Context())
	if err != nil || !slices.Equal(who.Lacks, []string{"webhooks: read and write"}) {
		t.Errorf("got %+v, %v", who, err)
	}
	rights, err := github.New(opt).Rights(t.Context())
	if err != nil || rights != (connect.Rights{Write: connect.Allowed, Webhooks: connect.Missing}) {
		t.Errorf("got %+v, %v", rights, err)
	}
	if _, err := github.New(appOptions(t, host)).PutHook(t.Context(), hook); !fault.HasCode(err, "webhook_permission_missing") {
		t.Error(err)
	}
}

// A code can be exchanged for an App only once. An invalid code cannot cause a request for another path.
func TestAppIsCreatedFromCode(t *testing.T) {
	host := forgetest.NewAppHost(t)
	opt := appOptions(t, host)
	code := host.Create()
	for _, bad := range []string{"x", "../user", "a/b", ""} {
		if _, err := github.Convert(t.Context(), opt, bad); !fault.HasCode(err, "bad_app_code") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	made, err := github.Convert(t.Context(), opt, code)
	if err != nil || made.App.ID != "12345" || made.Owner != "acme" || !strings.HasSuffix(made.Page, "/github-apps/lectern-docs") {
		t.Fatalf("got %v, %v", made, err)
	}
	if _, err := github.Convert(t.Context(), opt, code); !fault.HasCode(err, "bad_app_code") {
		t.Errorf("a second time: %v", err)
	}
}
