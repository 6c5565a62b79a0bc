-- Previews of pull requests take room once they are admitted: their build has found that they change the docs.
-- This file is frozen: change the schema with a new file.

-- +goose Up
ALTER TABLE pull_previews ADD COLUMN admitted BOOLEAN NOT NULL DEFAULT FALSE;
-- Earlier programs noted it in outcome, which failures before that set too: of those, only what readers can open counts.
UPDATE pull_previews SET admitted = TRUE WHERE state = 'open' AND (outcome = 'in_progress' OR outcome <> ''
    AND EXISTS (SELECT 1 FROM deployments d WHERE d.project_id = pull_previews.project_id AND d.branch = pull_previews.ref
        AND d.kind = 'preview' AND d.status = 'success'));
