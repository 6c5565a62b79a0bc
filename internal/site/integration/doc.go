// Package integration lists the third-party services that docs.json can add to pages by their id alone.
//
// Inputs: the fields below integrations.NAME.
// Outputs: which values are right, and what the content policy of pages must allow.
// It never contacts a service. The script of each is web/theme/src/integrations/NAME.ts.
package integration
