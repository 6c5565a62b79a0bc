package saml_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/saml/samltest"
)

func TestInvalidSettingsAreRefused(t *testing.T) {
	idp := samltest.New(t, clock)
	good := idp.Metadata()
	many := `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">` + good
	for name, c := range map[string]struct {
		o     saml.Options
		field string // "" = accepted
	}{
		"metadata":          {saml.Options{Metadata: good}, ""},
		"a list of one":     {saml.Options{Metadata: many + `</EntitiesDescriptor>`}, ""},
		"address":           {saml.Options{MetadataURL: "https://id.example/metadata?x=1"}, ""},
		"local address":     {saml.Options{MetadataURL: "http://127.0.0.1:9/metadata"}, ""},
		"nothing":           {saml.Options{}, "metadata"},
		"both":              {saml.Options{Metadata: good, MetadataURL: "https://id.example/"}, "metadata"},
		"plain http":        {saml.Options{MetadataURL: "http://id.example/metadata"}, "metadataUrl"},
		"a file":            {saml.Options{MetadataURL: "file:///etc/passwd"}, "metadataUrl"},
		"a password":        {saml.Options{MetadataURL: "https://a:b@id.example/"}, "metadataUrl"},
		"no XML":            {saml.Options{Metadata: "x"}, "metadata"},
		"something else":    {saml.Options{Metadata: "<a/>"}, "metadata"},
		"two providers":     {saml.Options{Metadata: many + good + `</EntitiesDescriptor>`}, "metadata"},
		"no redirect":       {saml.Options{Metadata: strings.ReplaceAll(good, "HTTP-Redirect", "HTTP-Other")}, "metadata"},
		"sign-in over http": {saml.Options{Metadata: strings.ReplaceAll(good, "https://id.example/sign-in", "http://id.example/")}, "metadata"},
		"a script":          {saml.Options{Metadata: strings.ReplaceAll(good, "https://id.example/sign-in", "javascript:alert(1)//")}, "metadata"},
		"no key":            {saml.Options{Metadata: strings.ReplaceAll(good, `use="signing"`, `use="encryption"`)}, "metadata"},
		"a broken key":      {saml.Options{Metadata: strings.Replace(good, ">MII", ">AAA", 1)}, "metadata"},
		"expired": {saml.Options{Metadata: strings.Replace(good, "entityID=", `validUntil="2020-01-01T00:00:00Z" entityID=`, 1)},
			"metadata"},
		"too large": {saml.Options{Metadata: good + strings.Repeat(" ", saml.MaxMetadata)}, "metadata"},
	} {
		c.o.Now = clock
		err := c.o.Check()
		if f, _ := fault.As(err); (err == nil) != (c.field == "") || err != nil && f.Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Metadata at a URL is fetched when needed: on first use, after an hour, and when a key is unknown.
func TestMetadataIsRefreshed(t *testing.T) {
	now := noon
	idp := samltest.New(t, func() time.Time { return now })
	next := samltest.New(t, func() time.Time { return now })
	text, status := idp.Metadata(), http.StatusOK
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	p := saml.New(saml.Options{MetadataURL: server.URL, Now: func() time.Time { return now }})
	expect := func(what string, by *samltest.IDP, code string, requests int64) {
		t.Helper()
		_, err := signIn(t, p, by, samltest.Lie{})
		got := ""
		if err != nil {
			got, _ = refusal(t, err)
		}
		if got != code || asked.Load() != requests {
			t.Errorf("%s: %v, %d requests", what, err, asked.Load())
		}
	}
	expect("first", idp, "", 1)
	expect("kept", idp, "", 1)
	text = idp.Metadata(idp.Own(), next.Own())
	expect("a new key, at once", next, "saml_refused", 1)
	now = now.Add(2 * time.Minute)
	expect("a new key, later", next, "", 2)
	expect("the old key", idp, "", 2)
	status = http.StatusBadGateway
	now = now.Add(2 * time.Hour)
	expect("the address does not answer", idp, "", 4) // Begin and Finish each try
	now = now.Add(20 * time.Hour)
	status = http.StatusOK
	expect("it answers again", idp, "", 5)
}

func TestMetadataFetchFailures(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		code    string
	}{
		"error":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, "saml_unavailable"},
		"missing":        {http.NotFound, "saml_misconfigured"},
		"something else": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html></html>")) }, "saml_misconfigured"},
		"another origin": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://localhost:1/", http.StatusFound)
		}, "saml_misconfigured"},
		"redirects":      {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }, "saml_misconfigured"},
		"without an end": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat("a", 1<<20))) }, "saml_misconfigured"},
		"cut before ends": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9")
			_, _ = w.Write([]byte("<a/>"))
		}, "saml_unavailable"},
	} {
		server := httptest.NewServer(c.handler)
		_, err := saml.New(saml.Options{MetadataURL: server.URL, Now: clock}).Begin(t.Context(), here, requestID, relay)
		if code, _ := refusal(t, err); code != c.code {
			t.Errorf("%s: %v", name, err)
		}
		server.Close()
	}
}

func TestServiceProviderMetadata(t *testing.T) {
	text, err := here.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`entityID="` + here.EntityID + `"`, `Location="` + here.ACS + `"`,
		`WantAssertionsSigned="true"`, "HTTP-POST"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the metadata lacks %s: %s", want, text)
		}
	}
}

// FuzzResponse searches for documents that make the parser panic or that are accepted.
func FuzzResponse(f *testing.F) {
	idp := samltest.New(f, clock)
	p := saml.New(saml.Options{Metadata: idp.Metadata(), Now: clock})
	address, err := p.Begin(f.Context(), here, requestID, relay)
	if err != nil {
		f.Fatal(err)
	}
	for _, lie := range []samltest.Lie{{Unsigned: true, UnsignedIn: true}, {UnsignedIn: true, Method: "http://www.w3.org/2000/09/xmldsig#rsa-sha1"}} {
		f.Add(decoded(f, idp.Answer(address, lie).Response))
	}
	other := samltest.New(f, clock)
	f.Add(decoded(f, other.Answer(address, samltest.Lie{}).Response))
	f.Fuzz(func(t *testing.T, text []byte) {
		if who, err := p.Finish(t.Context(), here, requestID, encoded(text)); err == nil {
			t.Fatalf("accepted: %+v", who)
		}
	})
}
