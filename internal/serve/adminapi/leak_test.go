package adminapi_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/leakreport"
)

// scanner returns the key of the trusted reporter in these tests; strangerKey returns a key that is not configured.
var scanner, strangerKey = sync.OnceValue(newECDSA), sync.OnceValue(newECDSA)

func newECDSA() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

// leakKeys returns the scanner's public keys in the form in which GitHub publishes them.
var leakKeys = sync.OnceValue(func() leakreport.Keys {
	der, err := x509.MarshalPKIXPublicKey(&scanner().PublicKey)
	if err != nil {
		panic(err)
	}
	file, err := json.Marshal(
		map[string]any{"public_keys": []map[string]any{{"key_identifier": "scanner-1", "is_current": true,
			"key": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))}}})
	if err != nil {
		panic(err)
	}
	keys, err := leakreport.ParseKeys(file)
	if err != nil {
		panic(err)
	}
	return keys
})

// signed returns a report with the given body, signed with a key.
func signed(by *ecdsa.PrivateKey, identifier, body string) ask {
	sum := sha256.Sum256([]byte(body))
	signature, err := ecdsa.SignASN1(rand.Reader, by, sum[:])
	if err != nil {
		panic(err)
	}
	return ask{method: "POST", path: "/v1/leaked-keys", body: body,
		header: map[string]string{"Github-Public-Key-Identifier": identifier,
			"Github-Public-Key-Signature": base64.StdEncoding.EncodeToString(signature)}}
}

func leakBody(tokens ...string) string {
	list := []map[string]string{}
	for _, token := range tokens {
		list = append(list, map[string]string{"token": token, "type": "lectern_admin_key",
			"url": "https://user:pw@code.example/a/b/file.txt?token=" + token + "#L1", "source": "content"})
	}
	raw, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// leak returns the scanner's report of a token.
func leak(tokens ...string) ask { return signed(scanner(), "scanner-1", leakBody(tokens...)) }

func (w *world) works(t *testing.T, key string, want int) {
	t.Helper()
	w.do(t, ask{"GET", "/v1/projects", key, "", nil}).want(t, want)
}

// K8: a signed report revokes the key and everything it created, whatever its organization, and is recorded in that
// organization's audit log. The response says which tokens were keys without repeating them. A repeated report
// changes nothing.
func TestSignedReportRevokesLeakedKeys(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	y := w.newTenant(t, "b", account.PlanFree)
	child := w.do(t, ask{"POST", "/v1/keys", x.spareKey, `{}`, nil}).want(t, 201).object(t)["key"].(string)
	link := w.do(t, ask{"POST", "/v1/invitations", x.spareKey, `{"email":"new@example.com","role":"viewer"}`, nil}).
		want(t, 201).object(t)["invitationId"].(string)
	expired, _ := w.newKey(t, y.org.ID, func(k *account.Key) { now := w.clock.Now(); k.ExpiresAt = &now })
	unknown := account.NewSecret(rand.Reader)
	tokens := []string{x.spareKey, unknown, y.spareKey, "lectern_nonsense", "", expired}
	got := w.do(t, leak(tokens...)).want(t, 200)
	verdicts := read[[]leakreport.Verdict](t, got)
	for i, want := range []string{"true_positive", "false_positive", "true_positive", "false_positive",
		"false_positive", "true_positive"} {
		if verdicts[i].Label != want || verdicts[i].TokenType != "lectern_admin_key" ||
			verdicts[i].TokenHash != hexSHA(tokens[i]) {
			t.Errorf("%d: %+v, want %s", i, verdicts[i], want)
		}
	}
	for _, dead := range []string{x.spareKey, child, y.spareKey, expired} {
		w.works(t, dead, 401)
		if bytes.Contains(got.body, []byte(dead[8:])) || strings.Contains(w.log.String(), dead[8:]) {
			t.Error("the response repeats a token")
		}
	}
	w.works(t, x.key, 200)
	w.works(t, y.key, 200)
	if list := w.do(t, ask{"GET", "/v1/invitations", x.key, "", nil}).
		want(t, 200); strings.Contains(string(list.body), link) {
		t.Error("a link of the leaked key still works")
	}
	before, _, err := w.store.EndOfEvents(t.Context(), x.org.ID)
	must(t, err)
	events, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 100)
	must(t, err)
	var actions []string
	for _, e := range events {
		if e.Actor == "secret-scanning" {
			actions = append(actions, e.Action)
		}
		if e.Action == "key.leak" && (e.Target != x.spareKeyID || e.Data["source"] != "content" ||
			e.Data["url"] != "https://code.example/a/b/file.txt") {
			t.Errorf("recorded %+v", e)
		}
		if strings.Contains(jsonText(t, e), x.spareKey[8:]) {
			t.Error("the audit log contains the token")
		}
	}
	if strings.Join(actions, " ") != "key.leak key.revoke invitation.revoke" {
		t.Errorf("recorded %q", actions)
	}
	w.do(t, leak(tokens...)).want(t, 200)
	if after, _, err := w.store.EndOfEvents(t.Context(), x.org.ID); err != nil || after != before {
		t.Errorf("a repeated report was recorded: %d after %d (error %v)", after, before, err)
	}
}

// K8: a report that was not signed by a configured key, or was changed in transit, is refused and revokes nothing.
func TestReportWithBadSignatureRevokesNothing(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	body := leakBody(x.spareKey)
	good := leak(x.spareKey)
	without := func(name, value string) ask {
		a := signed(scanner(), "scanner-1", body)
		a.header[name] = value
		return a
	}
	other := signed(scanner(), "scanner-1", leakBody(account.NewSecret(rand.Reader)))
	other.body = body
	spaced := good
	spaced.body += "\n"
	raw, err := base64.StdEncoding.DecodeString(good.header["Github-Public-Key-Signature"])
	must(t, err)
	raw[len(raw)-1] ^= 1
	for name, a := range map[string]ask{
		"no signature":       without("Github-Public-Key-Signature", ""),
		"no identifier":      without("Github-Public-Key-Identifier", ""),
		"unknown identifier": without("Github-Public-Key-Identifier", "scanner-2"),
		"not base64":         without("Github-Public-Key-Signature", "!!"),
		"a changed bit":      without("Github-Public-Key-Signature", base64.StdEncoding.EncodeToString(raw)),
		"another's key":      signed(strangerKey(), "scanner-1", body), "another body": other, "a changed body": spaced,
	} {
		if got := w.do(t, a).want(t, 401); got.code(t) != "bad_signature" {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	w.works(t, x.spareKey, 200)
	for _, bad := range []string{`{}`, `[{"token":1}]`, `null x`,
		"[" + strings.Repeat(`{"token":"x"},`, 1000) + `{"token":"x"}]`} {
		w.do(t, signed(scanner(), "scanner-1", bad)).want(t, 400)
	}
	w.do(t, good).want(t, 200)
	w.works(t, x.spareKey, 401)
}

// K8: without public keys the operation does not exist, whatever the request contains.
func TestLeakReportsAreOffUnlessConfigured(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { o.LeakKeys = nil })
	if got := w.do(t, leak(x.spareKey)).want(t, 404); got.code(t) != "unknown_route" {
		t.Errorf("%s", got.body)
	}
	w.works(t, x.spareKey, 200)
}
