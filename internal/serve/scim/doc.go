// Package scim lets an organization's identity provider manage members and groups by SCIM 2.0 (RFC 7643, RFC 7644).
//
// Inputs: requests below /scim/v2/ with an API key that has the scope scim. Outputs: users, who are the organization's
// members and people whom the provider deactivated; groups, which give members the roles that the operator assigned to
// the groups; audit events with the key as actor. It never creates, changes or removes an owner, shows data of another
// organization, or keeps attributes that Lectern does not use.
package scim
