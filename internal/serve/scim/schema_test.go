package scim_test

import (
	"encoding/json"
	"testing"
)

func TestServerMetadataIsDescribed(t *testing.T) {
	r := newRig(t)
	config := r.do(200, "GET", "ServiceProviderConfig", "")
	if config.get("patch.supported") != true || config.get("bulk.supported") != false || config.get("filter.maxResults") != 200.0 ||
		config.get("authenticationSchemes.0.type") != "oauthbearertoken" {
		t.Error(config.raw)
	}
	for _, collection := range []string{"ResourceTypes", "Schemas"} {
		list := r.do(200, "GET", collection, "")
		for i, name := range []string{"User", "Group"} {
			one, ok := list.body["Resources"].([]any)[i].(map[string]any)
			if !ok || one["name"] != name {
				t.Fatal(list.raw)
			}
			if found := r.do(200, "GET", collection+"/"+one["id"].(string), ""); found.get("name") != name {
				t.Error(found.raw)
			}
		}
		r.refused(r.as(r.key, "GET", collection+"/nothing", ""), 404, "")
		r.refused(r.as(r.key, "POST", collection, `{}`), 405, "")
	}
}

// Every attribute in responses is in the schemas, and vice versa.
func TestSchemasMatchResponses(t *testing.T) {
	r := newRig(t)
	user := r.do(201, "POST", "Users", `{"userName":"a@example.com","displayName":"A","name":{"givenName":"A","familyName":"B"}}`).id()
	group := r.group("Staff", user)
	list, _ := r.do(200, "GET", "Schemas", "").body["Resources"].([]any)
	for i, path := range []string{"Users/" + user, "Groups/" + group} {
		raw, err := json.Marshal(list[i])
		r.ok(err)
		var schema struct {
			Attributes []struct{ Name string }
		}
		r.ok(json.Unmarshal(raw, &schema))
		got := r.do(200, "GET", path, "").body
		for _, common := range []string{"schemas", "id", "externalId", "meta"} {
			delete(got, common)
		}
		for _, a := range schema.Attributes {
			if _, ok := got[a.Name]; !ok {
				t.Errorf("%s has no %s", path, a.Name)
			}
			delete(got, a.Name)
		}
		if len(got) > 0 {
			t.Errorf("%s also has %v", path, got)
		}
	}
}
