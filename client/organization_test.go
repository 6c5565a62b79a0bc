package client_test

import (
	"bytes"
	"context"
	"time"

	"github.com/lectern-docs/lectern/client"
)

const (
	organization = `{"organizationId":"org_1","name":"Example","plan":"pro","createdAt":"2026-01-02T03:04:05Z"}`
	member       = `{"memberId":"mem_1","email":"editor@example.com","name":null,"role":"editor","hasAccount":true,"twoFactor":false,"createdAt":"2026-01-02T03:04:05Z","lastSeenAt":null}`
	invitation   = `"invitationId":"inv_1","kind":"join","email":"editor@example.com","role":"editor","createdAt":"2026-01-02T03:04:05Z","createdBy":"mem_1","expiresAt":"2026-01-02T03:04:05Z"`
	deployment   = `{"statusId":"dep_1","projectId":"prj_1","kind":"production","branch":null,"status":"success","commit":"c","trigger":"api","pageCount":3,"error":null,"live":true,"url":"https://a.example","createdAt":"2026-01-02T03:04:05Z","endedAt":"2026-01-02T03:04:05Z"}`
	hash         = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	eventLine    = `{"eventId":"evt_1","organizationId":"org_1","sequence":1,"at":"2026-01-02T03:04:05Z","actor":"key_1","action":"key.create","target":"key_2","requestId":null,"data":{"label":"l"},"prevHash":"","hash":"` + hash + `"}`
)

// organizationOperations are the calls about the organization, its people, its log and what it published.
func organizationOperations() []operation {
	page := client.Page{Limit: 5, Cursor: "a b"}
	filter := client.EventFilter{Actor: "key_1", Action: "key", Target: "key_2", Since: time.Unix(0, 0), Until: time.Unix(60, 0)}
	filtered := "action=key&actor=key_1"
	link := `{` + invitation + `,"url":"https://h/dashboard/join?token=t"}`
	event := `{"eventId":"evt_1","sequence":1,"at":"2026-01-02T03:04:05Z","actor":"key_1","actorName":"ci","action":"key.create","target":"key_2","targetName":null,"requestId":"req_1","data":{"label":"l"},"prevHash":"","hash":"` + hash + `"}`
	return []operation{
		{"getOrganization", "/v1/organization", 200, organization, func(ctx context.Context, c *client.Client) (any, error) { return c.GetOrganization(ctx) }},
		{"renameOrganization", "/v1/organization", 200, organization, func(ctx context.Context, c *client.Client) (any, error) { return c.RenameOrganization(ctx, "Example") }},
		{"listMembers", "/v1/members", 200, `{"members":[` + member + `]}`, func(ctx context.Context, c *client.Client) (any, error) { return c.ListMembers(ctx) }},
		{"setMemberRole", "/v1/members/mem_1", 200, member, func(ctx context.Context, c *client.Client) (any, error) {
			return c.SetMemberRole(ctx, "mem_1", "editor")
		}},
		{"removeMember", "/v1/members/mem_1", 204, "", func(ctx context.Context, c *client.Client) (any, error) { return nil, c.RemoveMember(ctx, "mem_1") }},
		{"createPasswordLink", "/v1/members/mem_1/password-link", 201, link, func(ctx context.Context, c *client.Client) (any, error) { return c.CreatePasswordLink(ctx, "mem_1") }},
		{"createInvitation", "/v1/invitations", 201, link, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateInvitation(ctx, client.CreateInvitation{Email: "editor@example.com", Role: "editor", ExpiresInDays: ptr(3)})
		}},
		{"listInvitations", "/v1/invitations", 200, `{"invitations":[{` + invitation + `}]}`, func(ctx context.Context, c *client.Client) (any, error) { return c.ListInvitations(ctx) }},
		{"revokeInvitation", "/v1/invitations/inv_1", 204, "", func(ctx context.Context, c *client.Client) (any, error) { return nil, c.RevokeInvitation(ctx, "inv_1") }},
		{"listEvents", "/v1/events?" + filtered + "&cursor=a+b&limit=5&since=1970-01-01T00%3A00%3A00Z&target=key_2&until=1970-01-01T00%3A01%3A00Z", 200,
			`{"events":[` + event + `],"nextCursor":"n"}`, func(ctx context.Context, c *client.Client) (any, error) { return c.ListEvents(ctx, filter, page) }},
		{"checkEvents", "/v1/events/check", 200, `{"events":3,"intact":false,"problem":"Event 4 is missing.","hash":"` + hash + `"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CheckEvents(ctx)
		}},
		{"exportEvents", "/v1/events/export?" + filtered + "&format=ndjson&since=1970-01-01T00%3A00%3A00Z&target=key_2&until=1970-01-01T00%3A01%3A00Z", 200, eventLine + "\n",
			func(ctx context.Context, c *client.Client) (any, error) {
				var file bytes.Buffer
				err := c.ExportEvents(ctx, filter, "ndjson", &file)
				return rawLine(file.String()), err
			}},
		{"listDeployments", "/v1/projects/prj_1/deployments?cursor=a+b&kind=production&limit=5", 200, `{"deployments":[` + deployment + `],"nextCursor":null}`,
			func(ctx context.Context, c *client.Client) (any, error) {
				return c.ListDeployments(ctx, "prj_1", "production", page)
			}},
		{"rollBack", "/v1/project/rollback/prj_1", 200, project, func(ctx context.Context, c *client.Client) (any, error) { return c.RollBack(ctx, "prj_1", "dep_1") }},
		{"listAgentEntries", "/v2/agent/prj_1/job/aj_1/entries?after=7", 200, `{"entries":[` + agentEntry + `],"next":8}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListAgentEntries(ctx, "prj_1", "aj_1", 7)
		}},
	}
}

// rawLine is a line that is JSON already.
type rawLine string

func (l rawLine) MarshalJSON() ([]byte, error) { return []byte(l), nil }
