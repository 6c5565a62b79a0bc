package scim

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// object is literal JSON.
type object = map[string]any

func (s *server) getConfig(c *call) (reply, error) {
	off := object{"supported": false}
	return reply{status: http.StatusOK, body: object{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"},
		"patch":   object{"supported": true},
		"bulk":    object{"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
		"filter":  object{"supported": true, "maxResults": maxCount}, "changePassword": off, "sort": off,
		"etag": object{"supported": true},
		"authenticationSchemes": []object{{"type": "oauthbearertoken", "name": "API key",
			"description": "An API key of the organization with the scope scim, sent as a bearer token."}},
		"meta": meta{ResourceType: "ServiceProviderConfig", Location: c.base + "/ServiceProviderConfig"},
	}}, nil
}

func (c *call) types() []any {
	one := func(name, endpoint, schema, description string) any {
		return object{"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ResourceType"}, "id": name, "name": name,
			"endpoint": endpoint, "description": description, "schema": schema,
			"meta": meta{ResourceType: "ResourceType", Location: c.base + "/ResourceTypes/" + name}}
	}
	return []any{one("User", "/Users", userSchema, "Members of the organization, and deactivated ones"),
		one("Group", "/Groups", groupSchema, "Groups, which give members roles")}
}

func (s *server) listTypes(c *call) (reply, error) { return fixedList(c.types()), nil }
func (s *server) getType(c *call) (reply, error)   { return c.fixed(c.types()) }

func (s *server) listSchemas(c *call) (reply, error) { return fixedList(c.schemas()), nil }
func (s *server) getSchema(c *call) (reply, error)   { return c.fixed(c.schemas()) }

func fixedList(list []any) reply {
	return reply{status: http.StatusOK, body: newList(1, int64(len(list)), list)}
}

// fixed returns the resource in the path from a fixed list.
func (c *call) fixed(list []any) (reply, error) {
	for _, one := range list {
		if o, ok := one.(object); ok && strings.EqualFold(o["id"].(string), c.id) {
			return reply{status: http.StatusOK, body: o}, nil
		}
	}
	return reply{}, fault.New(fault.NotFound, "unknown_resource", "Resource not found.")
}

// trait changes a property of an attribute's description.
type trait func(object)

func required(o object)        { o["required"] = true }
func readOnly(o object)        { o["mutability"] = "readOnly" }
func exact(o object)           { o["caseExact"] = true }
func unique(o object)          { o["uniqueness"] = "server" }
func multi(o object)           { o["multiValued"] = true }
func immutable(o object)       { o["mutability"] = "immutable" }
func isBool(o object)          { o["type"] = "boolean"; delete(o, "caseExact"); delete(o, "uniqueness") }
func values(v ...string) trait { return func(o object) { o["canonicalValues"] = v } }
func refers(to ...string) trait {
	return func(o object) { o["type"], o["referenceTypes"], o["caseExact"] = "reference", to, true }
}
func parts(list ...object) trait {
	return func(o object) {
		o["type"], o["subAttributes"] = "complex", list
		delete(o, "caseExact")
	}
}

// attr describes an attribute: by default, a string that can be changed.
func attr(name, description string, traits ...trait) object {
	o := object{"name": name, "type": "string", "multiValued": false, "description": description, "required": false,
		"caseExact": false, "mutability": "readWrite", "returned": "default", "uniqueness": "none"}
	for _, t := range traits {
		t(o)
	}
	return o
}

// schemas describes the supported attributes, a subset of the specification's schemas.
func (c *call) schemas() []any {
	one := func(id, name, description string, attributes ...object) any {
		return object{"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:Schema"}, "id": id, "name": name,
			"description": description, "attributes": attributes,
			"meta": meta{ResourceType: "Schema", Location: c.base + "/Schemas/" + id}}
	}
	return []any{
		one(userSchema, "User", "Member of the organization",
			attr("userName", "Unique name, usually the e-mail address", required, unique),
			attr("name", "Parts of the name", parts(attr("formatted", "Whole name", readOnly),
				attr("familyName", "Family name"), attr("givenName", "Given name"))),
			attr("displayName", "Name to show"),
			attr("active", "Whether the person is a member now; false ends sessions at once", isBool),
			attr("emails", "Address of the member; only one is stored. Without it, userName must be an address", multi,
				parts(attr("value", "Address"), attr("type", "Always work", values("work")), attr("primary", "Always true", isBool))),
			attr("groups", "Groups of the user", multi, readOnly, parts(attr("value", "Id of the group", readOnly),
				attr("$ref", "Address of the group", readOnly, refers("Group")), attr("display", "Name of the group", readOnly),
				attr("type", "Always direct", readOnly, values("direct"))))),
		one(groupSchema, "Group", "Group, which may give its members a role",
			attr("displayName", "Unique name", required, unique),
			attr("members", "Users in the group", multi, parts(attr("value", "Id of the user", immutable, exact),
				attr("$ref", "Address of the user", immutable, refers("User")), attr("display", "Name of the user", readOnly),
				attr("type", "Always User", immutable, values("User"))))),
	}
}
