package cli

import (
	"context"
)

type projectsWebhookCommand struct {
	remote
	ProjectID string `arg:"" name:"project-id" help:"Id of the project, such as prj_…"`
}

// Help returns the long description.
func (projectsWebhookCommand) Help() string {
	return `Uses the credential of the project's source, and prints the address that the code host calls. A webhook with this
address gets the current secret.

    lectern projects webhook prj_aaaaaaaaaaaaaaaaaaaaaaaaaa`
}

func (c *projectsWebhookCommand) Run(ctx context.Context, r *run) error {
	cl, err := c.client(r)
	if err != nil {
		return err
	}
	made, err := cl.InstallWebhook(ctx, c.ProjectID)
	if err != nil {
		return err
	}
	return c.result(r, made, line(made.URL))
}

// orEmpty returns a nullable string, "" for null.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
