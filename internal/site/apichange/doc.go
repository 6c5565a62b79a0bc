// Package apichange compares two states of an API description: what clients of the API would notice, and what its docs
// should tell them.
//
// Inputs: operations or descriptions as package openapi reads them. Outputs: changes in the order of the description,
// those that break clients with the code of their finding, and the same as Markdown for a changelog.
// It compares operations, parameters, fields, required values, types and allowed values. It does not compare limits,
// descriptions or security.
package apichange
