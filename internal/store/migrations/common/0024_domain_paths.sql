-- A domain may have a path below its host, as example.com/docs. All sites of a host are found at once.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE project_domains ADD COLUMN path_host TEXT NOT NULL DEFAULT ''; -- host name of a domain with a path; '' = the domain is one
CREATE INDEX project_domains_by_path_host ON project_domains (path_host);
