// Package domain documents the layer of the platform's nouns: organizations, projects, deployments, jobs, keys. Each
// package defines the values of one noun, its state transitions, and the validation of its fields.
//
// Packages here store nothing and call no other service.
package domain
