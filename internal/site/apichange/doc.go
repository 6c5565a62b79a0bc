// Package apichange compares two states of an API description and lists the changes that affect clients of the API.
//
// Inputs: operations or descriptions from package openapi. Outputs: changes in the order of the description, with a
// finding code for those that break clients; the changes as Markdown for a changelog. It compares operations,
// parameters, fields, required values, types and allowed values. It does not compare limits, descriptions or security.
package apichange
