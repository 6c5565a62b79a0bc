package leakreport_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/serve/leakreport"
)

func keyFile(t *testing.T, name string, curve elliptic.Curve) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{"public_keys": []map[string]any{{"key_identifier": name,
		"key": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))}}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestParseKeysRejectsUnusableKeys(t *testing.T) {
	if keys, err := leakreport.ParseKeys(keyFile(t, "one", elliptic.P256())); err != nil || keys["one"] == nil {
		t.Errorf("%v %v", keys, err)
	}
	for name, raw := range map[string][]byte{"not JSON": []byte("x"), "no keys": []byte(`{}`),
		"not PEM":       []byte(`{"public_keys":[{"key_identifier":"a","key":"x"}]}`),
		"no identifier": keyFile(t, "", elliptic.P256()), "another curve": keyFile(t, "one", elliptic.P384())} {
		if _, err := leakreport.ParseKeys(raw); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestParseRemovesTokensFromURLs(t *testing.T) {
	const token, other = "lectern_0123456789", "lectern_9876543210"
	for url, want := range map[string]string{
		"https://code.example/a/b.txt?x=" + token:          "https://code.example/a/b.txt",
		"https://" + token + "@code.example/a#" + token:    "https://code.example/a",
		"https://code.example/" + token + "/x":             "",
		"https://code.example/%6cectern_0123456789":        "",
		"https://code.example/" + other:                    "",
		"javascript:alert(1)":                              "",
		"https://code.example/" + strings.Repeat("x", 600): "",
		"https://code.example/a%0ab":                       "",
		"":                                                 "",
	} {
		body, err := json.Marshal([]map[string]string{{"token": token, "url": url, "source": "commit"},
			{"token": other}})
		if err != nil {
			t.Fatal(err)
		}
		list, err := leakreport.Parse(body)
		if err != nil || len(list) != 2 || list[0].URL != want {
			t.Errorf("%s: %+v (error %v)", url, list, err)
		}
	}
}
