package scim

import (
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// draft is a user that a request is changing.
type draft struct {
	account.DirectoryUser
	active bool
}

// unkept lists user attributes that are accepted but not stored.
var unkept = []string{"schemas", "meta", enterprise, "nickname", "profileurl", "title", "usertype", "preferredlanguage",
	"locale", "timezone", "password", "phonenumbers", "ims", "photos", "addresses", "entitlements", "roles",
	"x509certificates"}

// fill sets all attributes of a resource; attributes that are unknown or not stored are ignored.
func (d *draft) fill(body map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(body)) {
		at, err := parsePath(name)
		if err != nil {
			continue // an unknown extension
		}
		if err := d.apply(operation{op: opReplace, path: at, value: body[name], loose: true}); err != nil {
			return err
		}
	}
	if d.UserName == "" {
		return bad(invalidValue, "userName is required.")
	}
	if d.Email != "" {
		return nil
	}
	return d.setEmail(d.UserName)
}

// reset clears the attributes that a replacement may omit. The address and the active state stay unchanged.
func (d *draft) reset() { d.ExternalID, d.DisplayName, d.GivenName, d.FamilyName = "", "", "", "" }

// apply changes one attribute.
func (d *draft) apply(o operation) (err error) {
	if err := o.checkParts(); err != nil {
		return err
	}
	if o.op == opRemove {
		return d.remove(o)
	}
	switch o.path.name {
	case "username":
		if d.UserName, err = textValue("userName", o.value); err == nil && d.UserName == "" {
			err = bad(invalidValue, "userName must not be empty.")
		}
	case "externalid":
		d.ExternalID, err = textValue("externalId", o.value)
	case "displayname":
		d.DisplayName, err = textValue("displayName", o.value)
	case "name":
		err = d.setName(o)
	case "emails":
		err = d.setEmails(o)
	case "active":
		d.active, err = boolValue("active", o.value)
	case "id", "groups":
		if !o.loose {
			err = bad(mutability, "%s cannot be changed.", o.path.name)
		}
	default:
		err = ignore(o)
	}
	return err
}

// complexParts lists the sub-attributes of attributes that have any.
var complexParts = map[string][]string{"emails": {"", "value", "type", "primary", "display"},
	"name": {"", "givenname", "familyname", "formatted", "middlename", "honorificprefix", "honorificsuffix"}}

// checkParts rejects a path with sub-attributes that the attribute does not have.
func (o operation) checkParts() error {
	known, isComplex := complexParts[o.path.name]
	switch {
	case o.loose || slices.Contains(unkept, o.path.name),
		!isComplex && o.path.sub == "" && o.path.where == nil,
		isComplex && slices.Contains(known, o.path.sub) && (o.path.where == nil || o.path.name == "emails"):
		return nil
	}
	return bad(invalidPath, "The attribute %s of users has no such part.", o.path.name)
}

// ignore accepts attributes that are not stored. Unknown attributes in a path are an error.
func ignore(o operation) error {
	if o.loose || slices.Contains(unkept, o.path.name) {
		return nil
	}
	return bad(invalidPath, "Users have no attribute %s.", o.path.name)
}

func (d *draft) remove(o operation) error {
	switch o.path.name {
	case "externalid":
		d.ExternalID = ""
	case "displayname":
		d.DisplayName = ""
	case "name":
		if o.path.sub != "" {
			return d.setName(operation{path: o.path})
		}
		d.GivenName, d.FamilyName = "", ""
	case "username", "emails", "active", "id", "groups":
		return bad(mutability, "%s cannot be removed.", o.path.name)
	default:
		return ignore(o)
	}
	return nil
}

// setName sets parts of a name; the formatted name is derived from them.
func (d *draft) setName(o operation) (err error) {
	parts := map[string]*string{"givenname": &d.GivenName, "familyname": &d.FamilyName}
	if o.path.sub != "" {
		if into := parts[o.path.sub]; into != nil {
			*into, err = textValue("name."+o.path.sub, o.value)
		}
		return err
	}
	object, ok := o.value.(map[string]any)
	if !ok && o.value != nil {
		return bad(invalidValue, "name must be an object.")
	}
	for name, into := range parts {
		if v, given := field(object, name); given && err == nil {
			*into, err = textValue("name."+name, v)
		}
	}
	return err
}

// setEmails sets the member's address. If there are several, it uses the primary one, else the one of type work, else
// the first.
func (d *draft) setEmails(o operation) error {
	if o.path.where != nil || o.path.sub != "" {
		return d.setOneEmail(o)
	}
	list, err := objects("emails", o.value)
	if err != nil {
		return err
	}
	best, rank := "", 0
	for _, one := range list {
		v, _ := field(one, "value")
		address, _ := v.(string)
		if r := emailRank(one); address != "" && r > rank {
			best, rank = address, r
		}
	}
	if best == "" {
		return nil // the value does not contain an address
	}
	return d.setEmail(best)
}

func emailRank(email map[string]any) int {
	kind, _ := field(email, "type")
	primary, _ := field(email, "primary")
	if is, err := boolValue("primary", primary); err == nil && is {
		return 3
	}
	if word, ok := kind.(string); ok && strings.EqualFold(word, "work") {
		return 2
	}
	return 1
}

// setOneEmail sets the address selected by a path. A user has one address, which is primary and of type work.
func (d *draft) setOneEmail(o operation) error {
	for _, c := range o.path.where {
		text, _ := c.text()
		other := c.name == "type" && !strings.EqualFold(text, "work") ||
			c.name == "primary" && !strings.EqualFold(text, "true") ||
			c.name == "value" && !strings.EqualFold(text, d.Email)
		if other {
			return nil // selects an address that is not stored
		}
	}
	switch o.path.sub {
	case "value":
		address, _ := o.value.(string)
		return d.setEmail(address)
	case "":
		list, err := objects("emails", o.value)
		if err != nil || len(list) == 0 {
			return err
		}
		address, _ := field(list[0], "value")
		if text, ok := address.(string); ok {
			return d.setEmail(text)
		}
	}
	return nil
}

func (d *draft) setEmail(address string) (err error) {
	if d.Email, err = account.CleanEmail(address); err != nil {
		return bad(invalidValue, "emails must have an e-mail address, such as editor@example.com. "+
			"Without emails, userName must be one.")
	}
	return nil
}
