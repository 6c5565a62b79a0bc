package proposal

// Page returns the path of a proposal's page on the server.
func Page(projectID, proposalID string) string {
	return "/dashboard/projects/" + projectID + "/proposals/" + proposalID
}
