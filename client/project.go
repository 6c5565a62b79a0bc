package client

// SourceInput locates a project's docs: a folder on the server's disk, or a repository.
type SourceInput struct {
	Path       string `json:"path,omitempty"`
	Repository string `json:"repository,omitempty"`
	Branch     string `json:"branch,omitempty"`     // "" for the repository's default
	Credential string `json:"credential,omitempty"` // name of a credential configured by the operator
}
