package judges

import (
	"html"
	"io"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/samlidp"
)

var hidden = regexp.MustCompile(`name="(\w+)"\s+value="([^"]*)"`)

// A third-party identity provider accepts our requests, and we accept its metadata and its signatures of the response,
// the assertion, or both.
func TestSAMLWorksWithThirdPartyProvider(t *testing.T) {
	t.Parallel()
	note := judged(t, "SAML sign-in", npmVersion(t, "samlp"))
	site := saml.Endpoint{EntityID: "https://docs.example/login/saml/main/metadata",
		ACS: "https://docs.example/login/saml/main/acs"}
	idp := samlidp.Start(t, site.ACS)
	provider := saml.New(saml.Options{MetadataURL: idp.Metadata, Now: time.Now})
	for _, sign := range []string{"both", "assertion", "response"} {
		address, err := provider.Begin(t.Context(), site, "_request"+sign, "relay"+sign)
		if err != nil {
			t.Fatal(err)
		}
		fields := fieldsOf(t, address+"&person=writer&sign="+sign)
		if fields["RelayState"] != "relay"+sign {
			t.Errorf("%s: the relay state is %q", sign, fields["RelayState"])
		}
		who, err := provider.Finish(t.Context(), site, "_request"+sign, fields["SAMLResponse"])
		if err != nil || who.Issuer != idp.URL || who.Subject != "w-1" || who.Transient ||
			who.Email != "writer@acme.example" || who.Name != "The writer" ||
			!slices.Equal(who.Groups, []string{"readers", "writers"}) {
			t.Errorf("%s: %+v %v", sign, who, err)
		}
		if _, err := provider.Finish(t.Context(), site, "_other", fields["SAMLResponse"]); err == nil {
			t.Errorf("%s: a response to another request is accepted", sign)
		}
	}
	*note = "response, assertion and both signed"
}

// fieldsOf requests a page and returns the hidden fields of its form.
func fieldsOf(t *testing.T, address string) map[string]string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	page, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%d %s %v", response.StatusCode, page, err)
	}
	out := map[string]string{}
	for _, field := range hidden.FindAllStringSubmatch(string(page), -1) {
		out[field[1]] = html.UnescapeString(field[2])
	}
	return out
}
