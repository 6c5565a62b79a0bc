-- Roles of members in single projects, and the role guest, which sees nothing but these. The oldest program that may run on the
-- database rises with the first guest: an older one would let guests read sites that are for members. Roles in the
-- organization are checked by the program from now on: a new one needs no change of the schema.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE members DROP CONSTRAINT members_role_check;

CREATE TABLE project_roles (
    member_id  TEXT NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    role       TEXT NOT NULL CHECK (role IN ('admin', 'editor', 'viewer')),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (member_id, project_id)
);
CREATE INDEX project_roles_by_project ON project_roles (project_id, created_at);

-- the role in a project that an invitation gives beside the one in the organization; '' = none
ALTER TABLE invitations ADD COLUMN project_id TEXT NOT NULL DEFAULT '';
ALTER TABLE invitations ADD COLUMN project_role TEXT NOT NULL DEFAULT '';
