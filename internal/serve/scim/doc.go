// Package scim lets an organization's identity provider manage members and groups with SCIM 2.0 (RFC 7643, RFC 7644).
//
// Inputs: requests below /scim/v2/ with an API key that has the scope scim. Outputs: users, who are the organization's
// members and people deactivated by the provider; groups, whose members get the roles that the operator assigned to the
// group; audit events with the key as actor. It never creates, changes or removes an owner, shows another
// organization's data, or stores attributes that Lectern does not use.
package scim
