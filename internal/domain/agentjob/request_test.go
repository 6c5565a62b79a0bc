package agentjob_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestPromptMustBeTextWithinLimit(t *testing.T) {
	full := strings.Repeat("ü", agentjob.MaxPrompt)
	for _, good := range []string{"fix broken links", " spaced \n", full, "日本語", "a\u200bb"} {
		if got, err := agentjob.CleanPrompt(good); err != nil || got != good {
			t.Errorf("%.20q became %.20q (error %v)", good, got, err)
		}
	}
	for bad, code := range map[string]string{"": "missing_field", " \n\t ": "missing_field", "\u00a0": "missing_field",
		full + "x": "invalid_field",
		"a\x00b":   "invalid_field", "a\xffb": "invalid_field"} {
		_, err := agentjob.CleanPrompt(bad)
		f, ok := fault.As(err)
		if !ok || f.Kind != fault.Invalid || f.Code != code || f.Field != "prompt" {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

// branchName matches branch names that every code host accepts.
var branchName = regexp.MustCompile(`^lectern/[a-z0-9]([a-z0-9-]*[a-z0-9])?-[a-z0-9]{0,10}$`)

// G3, G7: a job's branch has the agents' prefix for any prompt, and always has the same name.
func TestBranchNameComesFromPromptAndJobID(t *testing.T) {
	const job = "aj_abcdefghijklmnopqrstuvwxyz"
	for prompt, want := range map[string]string{
		"Fix broken links":       "lectern/fix-broken-links-qrstuvwxyz",
		"  Fix it.\nThen more":   "lectern/fix-it-qrstuvwxyz",
		"":                       "lectern/change-qrstuvwxyz",
		"日本語":                    "lectern/change-qrstuvwxyz",
		"../../etc/passwd":       "lectern/etcpasswd-qrstuvwxyz",
		"refs/heads/main":        "lectern/refsheadsmain-qrstuvwxyz",
		"--force -f":             "lectern/force-f-qrstuvwxyz",
		"a@{1} b~2^ c:d? *[x]\\": "lectern/a1-b2-cd-x-qrstuvwxyz",
		"main.lock":              "lectern/main-lock-qrstuvwxyz",
		"describe every one of the settings that the proxy page has": "lectern/describe-every-one-of-the-settings-that-qrstuvwxyz",
		strings.Repeat("x", 500): "lectern/" + strings.Repeat("x", 40) +
			"-qrstuvwxyz",
		strings.Repeat("ü", 500): "lectern/change-qrstuvwxyz",
	} {
		if got := agentjob.Branch(job, prompt); got != want || agentjob.Branch(job, prompt) != got ||
			!branchName.MatchString(got) {
			t.Errorf("%.30q: %s, want %s", prompt, got, want)
		}
	}
	if a, b := agentjob.Branch(job, "x"), agentjob.Branch("aj_abcdefghijklmnopqrstuvwxy2", "x"); a == b {
		t.Errorf("two jobs share %s", a)
	}
}

// G3, G5: no prompt leads to a branch outside the agents' prefix.
func FuzzBranch(f *testing.F) {
	for _, s := range []string{"fix it", "", "../x", "-- -f", "\x00\xff", "a\u202eb", "ß.lock",
		strings.Repeat("é-", 60)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		if got := agentjob.Branch("aj_abcdefghijklmnopqrstuvwxyz", prompt); !branchName.MatchString(got) ||
			len(got) > 64 {
			t.Errorf("%q gave %q", prompt, got)
		}
	})
}

func TestUnsetLimitsTakeDefaults(t *testing.T) {
	all := agentjob.Limits{}.OrDefault()
	if all.Steps <= 0 || all.Tokens <= 0 || all.Time <= 0 || all.Files <= 0 || all.Bytes <= 0 || all.Repairs <= 0 {
		t.Errorf("a bound is missing: %+v", all)
	}
	set := agentjob.Limits{Steps: 1, Tokens: 2, Time: 3, Files: 4, Bytes: 5, Repairs: 6}
	if set.OrDefault() != set {
		t.Errorf("a bound was changed: %+v", set.OrDefault())
	}
}

func TestModelMustBeConfiguredByOperator(t *testing.T) {
	models := []string{"builtin", "large"}
	for asked, want := range map[string]string{"": "builtin", "builtin": "builtin", "large": "large"} {
		if got, err := agentjob.ChooseModel(models, asked); err != nil || got != want {
			t.Errorf("%q: %s, %v", asked, got, err)
		}
	}
	_, err := agentjob.ChooseModel(models, "other")
	if f, ok := fault.As(err); !ok || f.Kind != fault.Invalid || f.Field != "model" ||
		!strings.Contains(f.Hint, "builtin, large") {
		t.Errorf("%v", err)
	}
	if _, err := agentjob.ChooseModel(nil, "builtin"); !fault.Is(err, fault.Forbidden) ||
		!fault.HasCode(err, "agent_off") {
		t.Errorf("%v", err)
	}
}

func TestStatusRoundTrips(t *testing.T) {
	for _, s := range []agentjob.Status{agentjob.Active, agentjob.Completed, agentjob.Failed, agentjob.Archived} {
		if got, err := agentjob.ParseStatus(string(s)); err != nil || got != s ||
			got.Ended() != (s != agentjob.Active) {
			t.Errorf("%s: %s, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "Active", "done"} {
		if _, err := agentjob.ParseStatus(s); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// A5: the error states a reasonable time until the next attempt.
func TestRefusedPromptStatesRetryDelay(t *testing.T) {
	for wait, want := range map[time.Duration]time.Duration{-time.Hour: time.Second, 0: time.Second,
		5 * time.Minute: 5 * time.Minute, 48 * time.Hour: time.Hour} {
		f, ok := fault.As(agentjob.TooManyPrompts(wait))
		if !ok || f.Kind != fault.RateLimited || f.RetryAfter != want {
			t.Errorf("%s: %+v", wait, f)
		}
	}
}

func TestAddSumsUse(t *testing.T) {
	got := agentjob.Use{Steps: 1, InputTokens: 2, OutputTokens: 3,
		CostMicros: 4}.Add(agentjob.Use{Steps: 10, InputTokens: 20, OutputTokens: 30, CostMicros: 40})
	if got != (agentjob.Use{Steps: 11, InputTokens: 22, OutputTokens: 33, CostMicros: 44}) {
		t.Errorf("%+v", got)
	}
}
