// Package domain documents the layer of the platform's core objects: organizations, projects, deployments, jobs,
// keys. Each package defines the values of one kind of object, its state transitions, and the validation of its
// fields.
//
// Packages here store nothing and call no other service.
package domain
