package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

type membersCommands struct {
	List   membersListCommand   `cmd:"" help:"List the organization's members, oldest first."`
	Invite membersInviteCommand `cmd:"" help:"Invite someone: create a link to join the organization."`
	Role   membersRoleCommand   `cmd:"" help:"Change a member's role."`
	Remove membersRemoveCommand `cmd:"" help:"Remove a member."`
}

type membersListCommand struct{ remote }

func (c *membersListCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	list, err := cl.ListMembers(ctx)
	if err != nil {
		return err
	}
	return c.result(r, list, func(w io.Writer) error {
		var rows [][]string
		for _, m := range list.Members {
			rows = append(rows, []string{m.MemberID, m.Email, m.Role, yesNo(m.HasAccount), yesNo(m.TwoFactor),
				day(m.CreatedAt), dayOr(m.LastSeenAt, "-"), orNone(m.Name)})
		}
		return printTable(w, []string{"MEMBER ID", "E-MAIL", "ROLE", "ACCOUNT", "TWO-FACTOR", "CREATED", "LAST SEEN",
			"NAME"}, rows)
	})
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

type membersInviteCommand struct {
	remote
	Email         string `arg:"" help:"The person's e-mail address."`
	Role          string `required:"" placeholder:"ROLE" help:"admin, editor, viewer or guest. Only a signed-in owner can invite an owner."`
	Project       string `placeholder:"ID" help:"Also give a role in this project, such as to a guest, who sees nothing else."`
	ProjectRole   string `placeholder:"ROLE" default:"viewer" help:"The role in that project: admin, editor or viewer."`
	ExpiresInDays int    `placeholder:"DAYS" help:"Days until the link expires, 1 to 30. Default: 7."`
}

// Help returns the long description.
func (membersInviteCommand) Help() string {
	return `Prints only the link to standard output; send it to the person. It works once and is shown only once.

    lectern members invite editor@example.com --role editor
    lectern members invite contractor@example.com --role guest --project prj_aaaaaaaaaaaaaaaaaaaaaaaaaa --project-role editor`
}

func (c *membersInviteCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	in := client.CreateInvitation{Email: c.Email, Role: c.Role}
	if c.ExpiresInDays != 0 {
		in.ExpiresInDays = &c.ExpiresInDays
	}
	if c.Project != "" {
		in.Project = &client.ProjectRole{ProjectID: c.Project, Role: c.ProjectRole}
	}
	made, err := cl.CreateInvitation(ctx, in)
	if err != nil {
		return err
	}
	if !c.JSON {
		fmt.Fprintf(r.Stderr, "With this link, %s becomes %s. It works once, until %s UTC:\n", orNone(made.Email),
			orNone(made.Role), day(made.ExpiresAt))
	}
	return c.result(r, made, line(made.URL))
}

// findMember returns the id of a member given by id or address.
func findMember(ctx context.Context, cl *client.Client, name string) (string, error) {
	if strings.HasPrefix(name, id.Member) || !strings.Contains(name, "@") {
		return name, nil
	}
	list, err := cl.ListMembers(ctx)
	if err != nil {
		return "", err
	}
	for _, m := range list.Members {
		if strings.EqualFold(m.Email, name) {
			return m.MemberID, nil
		}
	}
	return "", fault.Newf(fault.NotFound, "unknown_member", "%s is not a member.", name).
		WithHint("`lectern members list` lists all members.")
}

type membersRoleCommand struct {
	remote
	Member string `arg:"" help:"Id of the member, such as mem_…, or e-mail address."`
	Role   string `arg:"" help:"admin, editor, viewer or guest. Only a signed-in owner can add or change an owner."`
}

// Help returns the long description.
func (membersRoleCommand) Help() string {
	return `The new role applies from the member's next request.

    lectern members role editor@example.com admin`
}

func (c *membersRoleCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	memberID, err := findMember(ctx, cl, c.Member)
	if err != nil {
		return err
	}
	m, err := cl.SetMemberRole(ctx, memberID, client.SetMemberRole{Role: c.Role})
	if err != nil {
		return err
	}
	return c.result(r, m, line(fmt.Sprintf("%s is now %s.", m.Email, m.Role)))
}

type membersRemoveCommand struct {
	remote
	Member string `arg:"" help:"Id of the member, such as mem_…, or e-mail address."`
}

// Help returns the long description.
func (membersRemoveCommand) Help() string {
	return `The member's sessions in the organization end immediately. Keys that the member created keep working.

    lectern members remove editor@example.com`
}

func (c *membersRemoveCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	memberID, err := findMember(ctx, cl, c.Member)
	if err != nil {
		return err
	}
	if err := cl.RemoveMember(ctx, memberID); err != nil {
		return err
	}
	return c.result(r, map[string]string{"memberId": memberID}, line(memberID))
}
