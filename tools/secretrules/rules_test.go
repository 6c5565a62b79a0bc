package secretrules

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/lectern-docs/lectern/internal/ai/guard"
)

// samples is the number of keys generated from each rule, and found the minimum number that must be recognized: a
// random key may contain a word by which the guard recognizes examples.
const samples, found = 40, 36

// theirs returns the patterns of gitleaks' rules by id, as in its rule file.
func theirs(t *testing.T) map[string]string {
	t.Helper()
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(strings.NewReader(config.DefaultConfig)); err != nil {
		t.Fatal(err)
	}
	var file config.ViperConfig
	if err := v.Unmarshal(&file); err != nil {
		t.Fatal(err)
	}
	parsed, err := file.Translate()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range parsed.Rules {
		if r.Regex != nil {
			out[r.RuleID] = r.Regex.String()
		}
	}
	if len(out) < 200 {
		t.Fatalf("%d rules were read", len(out))
	}
	return out
}

// named reports whether a rule recognizes a value by the name before it, such as "adafruit_key = …". The guard has one
// rule for all such values, which searches for the words key, token or secret instead of each provider's name.
func named(pattern string) bool { return strings.Contains(pattern, `(?:=|>|:{1,3}=|`) }

// finds reports whether the guard recognizes a key by its format alone, without a name before it.
func finds(key string) bool {
	text := "Use " + key + " here.\n"
	return guard.Redact(text, nil) != text
}

// drawnFrom returns a random key of one of our formats.
func drawnFrom(f guard.Format, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	body := make([]byte, f.Min)
	for i := range body {
		body[i] = f.Alphabet[r.IntN(len(f.Alphabet))]
	}
	return f.Prefix + string(body)
}

// G6: the guard covers every rule in the public set, or the list says why not.
func TestPublicRulesAreCoveredOrListed(t *testing.T) {
	rules := theirs(t)
	for id, pattern := range rules {
		if named(pattern) && partly[id] == "" {
			continue
		}
		n := 0
		for seed := range uint64(samples) {
			if finds(sample(t, pattern, seed)) {
				n++
			}
		}
		switch {
		case left[id] != "" && n > samples/4:
			t.Errorf("%s is listed as left out, but %d of %d samples are found", id, n, samples)
		case left[id] != "":
		case partly[id] != "" && (n == 0 || n >= found):
			t.Errorf("%s is listed as covered in part, but %d of %d samples are found", id, n, samples)
		case partly[id] == "" && n < found:
			t.Errorf("%s: %d of %d samples are found; add a format or a reason; a sample: %q",
				id, n, samples, sample(t, pattern, 0))
		}
	}
	for _, list := range []map[string]string{left, partly} {
		for id := range list {
			if rules[id] == "" {
				t.Errorf("the public set no longer has the rule %s", id)
			}
		}
	}
}

// G6: each of our formats has a rule in the public set, and both recognize the same keys, or it is listed as unknown to
// the set.
func TestOwnFormatsAgreeWithPublicRules(t *testing.T) {
	rules, seen := theirs(t), map[string]bool{}
	for _, f := range guard.Formats() {
		seen[f.Prefix] = true
		switch id, known := ours[f.Prefix]; {
		case !known:
			t.Errorf("%q (%s): name its rule in the public set, or none", f.Prefix, f.What)
		case id == none:
			checkUnknown(t, rules, f)
		case rules[id] == "":
			t.Errorf("%q (%s): the public set no longer has the rule %s", f.Prefix, f.What, id)
		default:
			checkAgreement(t, rules[id], f)
		}
	}
	for prefix := range ours {
		if !seen[prefix] {
			t.Errorf("the format %q no longer exists", prefix)
		}
	}
}

// checkAgreement generates keys with the format's prefix from a rule and checks that both rules find them, and that
// neither finds their first bytes alone.
func checkAgreement(t *testing.T, pattern string, f guard.Format) {
	t.Helper()
	rule, drawn, agreed := regexp.MustCompile(pattern), 0, 0
	for seed := uint64(0); seed < 100*samples && drawn < samples; seed++ {
		key := sample(t, pattern, seed)
		at := strings.Index(key, f.Prefix)
		if at < 0 {
			continue
		}
		drawn++
		if rule.MatchString(key) && finds(key) {
			agreed++
		}
		if short := key[:min(len(key), at+len(f.Prefix)+4)]; rule.MatchString(short) || finds(short) {
			t.Errorf("%q (%s): one of the rules finds the first bytes %q alone", f.Prefix, f.What, short)
		}
	}
	if drawn < samples || agreed < found && partial[f.Prefix] == "" {
		t.Errorf("%q (%s): %d keys drawn from %s, %d of them found by both", f.Prefix, f.What, drawn, pattern, agreed)
	}
}

// checkUnknown reports rules that match keys of a format that is listed as unknown to the public set.
func checkUnknown(t *testing.T, rules map[string]string, f guard.Format) {
	t.Helper()
	for id, pattern := range rules {
		rule := regexp.MustCompile(pattern)
		for seed := range uint64(4) {
			if key := drawnFrom(f, seed); !named(pattern) && rule.MatchString("Use "+key+" here.\n") {
				t.Errorf("%q (%s): the public set now has a rule: %s", f.Prefix, f.What, id)
				break
			}
		}
	}
}
