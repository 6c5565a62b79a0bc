package guard_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

const (
	hexDigits  = "0123456789abcdef"
	upperDigit = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	letters    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	urlSafe    = letters + "-_"
)

// drawn returns the random part of a key. It is generated, so that this file contains no key that looks real.
func drawn(seed uint64, from string, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	out := make([]byte, n)
	for i := range out {
		out[i] = from[r.IntN(len(from))]
	}
	if last := out[n-1]; last == '-' || last == '_' {
		out[n-1] = 'k'
	}
	return string(out)
}

// secrets returns one key for each of many issuers.
func secrets(seed uint64) map[string]string {
	d := func(from string, n int) string { return drawn(seed, from, n) }
	lines := strings.Repeat(d(letters, 63)+"\n", 3)
	header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	claims := base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"sub":"u-%s"}`, d(letters, 20))))
	return map[string]string{
		"aws": "AKIA" + d(upperDigit, 16), "google": "AIza" + d(urlSafe, 35), "azure": "AccountKey=" + d(letters, 86) +
			"==",
		"digitalocean": "dop_v1_" + d(hexDigits, 64),
		"github":       "ghp_" + d(letters, 36), "github-fine": "github_pat_" + d(letters, 22) + "_" + d(letters, 59),
		"gitlab":    "glpat-" + d(urlSafe, 20),
		"npm":       "npm_" + d(letters, 36),
		"bitbucket": "ATBB" + d(letters, 32), "docker": "dckr_pat_" + d(urlSafe, 27), "anthropic": "sk-ant-api03-" +
			d(urlSafe, 93),
		"openai":     "sk-proj-" + d(urlSafe, 100),
		"openai-old": "sk-" + d(letters, 48), "hugging": "hf_" + d(letters, 34), "groq": "gsk_" + d(letters, 52),
		"openrouter": "sk-or-v1-" + d(hexDigits, 64),
		"stripe":     "sk_live_" + d(letters, 40), "slack": "xoxb-" + d("0123456789", 12) + "-" + d("0123456789", 12) +
			"-" + d(letters, 24),
		"sendgrid": "SG." + d(urlSafe, 22) + "." + d(urlSafe, 43),
		"linear":   "lin_api_" + d(letters, 40), "vault": "hvs." + d(urlSafe, 90), "age": "AGE-SECRET-KEY-1" +
			d(upperDigit, 58),
		"jwt": header + "." + claims + "." + d(urlSafe, 43),
		"pem": "-----BEGIN RSA PRIVATE KEY-----\n" + lines + "-----END RSA PRIVATE KEY-----",
		"pem-one": `"-----BEGIN PRIVATE KEY-----\n` + strings.ReplaceAll(lines, "\n", `\n`) +
			`-----END PRIVATE KEY-----\n"`,
		"url": "postgres://app:" + d(letters, 20) + "7@db.acme-prod.io:5432/main", "env": "CLIENT_SECRET=" +
			d(letters, 40),
		"json":   `"apiKey": "` + d(letters, 32) + `",`,
		"header": "Authorization: Bearer " + d(letters, 40), "aws-secret": "aws_secret_access_key = " +
			d(letters+"+/", 39) + "7",
		"code":            "const token = '" + d(hexDigits, 40) + "'",
		"escaped":         "?next=%3Dghp_" + d(letters, 36),
		"hugging-letters": "hf_" + d(strings.Trim(letters, "0123456789"), 34), "twilio": "SK" + d(hexDigits, 32),
	}
}

// G6: a secret on a new line blocks the change, wherever it is, and is never shown.
func TestSecretsInNewLinesBlockTheChange(t *testing.T) {
	for seed := range uint64(20) {
		for name, secret := range secrets(seed) {
			for _, text := range []string{secret, "# Title\n\nUse `" + secret + "` here.\n",
				"```bash\nexport X=1\n" + secret + "\n```\n",
				"{/* " + secret + " */}\n"} {
				list := guard.Check([]draft.Change{changed("a.mdx", "# Title\n", text)}, guard.Rules{})
				found := 0
				for _, f := range list {
					if f.Code == guard.Secret && f.Block {
						found++
					}
					if strings.Contains(f.Text, secret) || len(secret) > 24 && strings.Contains(f.Text, secret[8:20]) {
						t.Errorf("%s: the finding shows it: %s", name, f.Text)
					}
				}
				if found != 1 {
					t.Errorf("seed %d, %s: %d secrets found in %q: %v", seed, name, found, text, list)
				}
			}
		}
	}
}

// Lectern's own keys are detected by their checksum, so that documentation may show examples.
func TestOwnKeysAreDetectedByChecksum(t *testing.T) {
	for seed := range uint64(50) {
		key := account.NewSecret(rand.NewChaCha8([32]byte{byte(seed)}))
		if got := codes(guard.Rules{}, fresh("a.mdx", "Use "+key+" now.\n")); got != "secret!" {
			t.Fatalf("a key: %q", got)
		}
		other := key[:len(key)-1] + string(letters[(strings.IndexByte(letters, key[len(key)-1])+1)%len(letters)])
		if got := codes(guard.Rules{}, fresh("a.mdx", "Use "+other+" now.\n")); got != "" {
			t.Fatalf("no key: %q", got)
		}
	}
}

// Documentation contains many values that only look like secrets.
func TestPlaceholdersAreNotSecrets(t *testing.T) {
	for _, text := range []string{
		"YOUR_API_KEY", "api_key=YOUR_API_KEY", `"apiKey": "your-api-key-goes-here-1234"`, "sk-...", "sk-proj-...",
		"sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"AKIAIOSFODNN7EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"sk_test_4eC39HqLyjWDarjtT1zdp7dc",
		"glpat-XXXXXXXXXXXXXXXXXXXX", "<token>", "token: ${TOKEN}",
		"Authorization: Bearer <token>", "Authorization: Bearer $API_TOKEN",
		"Authorization: Bearer abcdef1234567890abcdef1234567890",
		"token = process.env.GITHUB_TOKEN_V2_PRODUCTION1",
		"sha256-" + drawn(1, letters, 43) + "=", "commit " + drawn(2, hexDigits, 40), "integrity: sha512-" +
			drawn(3, letters, 86) + "==",
		"digest: sha256:" + drawn(4, hexDigits, 64),
		"id: 7d444840-9dc0-11d1-b245-5ffdce74fad2", `"token_address": "0x` + drawn(5, hexDigits, 40) + `"`,
		`"next_page_token": "` + drawn(6, letters,
			32) + `"`, "publicKey: " + drawn(7, letters, 44),
		"https://user:password@host.example.com", "postgres://postgres:postgres@localhost:5432/db",
		"https://<user>:<token>@git.acme.io",
		"mongodb://user:${PASSWORD}@db.acme.io", "redis://:p4ssw0rd@cache.acme.io",
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----\n" +
			drawn(8, letters, 64) + "\n-----END PUBLIC KEY-----",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----",
		"the password: at least 16 characters1",
		"secret: see https://acme.dev/docs/v2/secrets-2024-guide",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
		"eyJhbGciOiJIUzI1NiJ9...", "apiKey: a1b2c3d4e5f6g7h8i9j0k1l2m3n4", "token: 0123456789abcdef0123456789abcdef",
		"secret_name = my-app-secret-v2-production-eu1", "re_render_all_the_components_of_page1",
		"tokenId: " + drawn(9, letters, 30), "password: ********", "key-value-store", "sk-" + strings.Repeat("a1", 20),
	} {
		if got := codes(guard.Rules{KnownHosts: map[string]bool{"acme.dev": true, "git.acme.io": true,
			"db.acme.io": true, "cache.acme.io": true}},
			fresh("a.mdx", "```\n"+text+"\n```\n")); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Only added text is reported: a secret that the file already contained, even elsewhere or under another name, is not.
func TestExistingSecretsAreNotReported(t *testing.T) {
	key := secrets(1)["github"]
	for name, list := range map[string][]draft.Change{
		"same line":    {changed("a.mdx", key+"\n", key+"\nnew\n")},
		"indented":     {changed("a.mdx", key+"\n", "  "+key+"\n")},
		"another line": {changed("a.mdx", "use "+key+"\n", "| use | "+key+" |\n")},
		"moved file":   {{Path: "a.mdx", Before: []byte("x\n" + key + "\n")}, fresh("b.mdx", "y\n"+key+"\n")},
		"taken out":    {changed("a.mdx", key+"\n", "gone\n")},
		"removed file": {{Path: "a.mdx", Before: []byte(key)}},
	} {
		if got := codes(guard.Rules{}, list...); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	copied := []draft.Change{changed("a.mdx", key+"\n", key+"\nmore\n"), fresh("b.mdx", key+"\n")}
	if got := codes(guard.Rules{}, copied...); got != "secret!" {
		t.Errorf("copied into another file: %q", got)
	}
}

// Reviewers of a change are informed that something was redacted from it.
func TestRedactedSecretsAreReported(t *testing.T) {
	text := guard.Redact("Use "+secrets(1)["github"]+".\n", nil)
	if got := codes(guard.Rules{}, fresh("a.mdx", text)); got != "secret" {
		t.Errorf("%q: %q", text, got)
	}
}

// The server's own secrets block a change in every encoding.
func TestServerSecretsBlockTheChange(t *testing.T) {
	const value = "correct horse/battery+staple&1"
	rules := guard.Rules{Secrets: []string{value}}
	for _, text := range []string{value, base64.StdEncoding.EncodeToString([]byte("user:" + value)),
		fmt.Sprintf("%x", value),
		"?p=correct+horse%2Fbattery%2Bstaple%261", "correct horse/battery+staple&amp;1"} {
		if got := codes(rules, fresh("a.mdx", "The "+text+".\n")); !strings.Contains(got, "secret!") {
			t.Errorf("%q: %q", text, got)
		}
	}
}
