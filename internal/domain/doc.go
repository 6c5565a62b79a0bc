// Package domain documents the layer of the platform's nouns: organizations, projects, deployments, jobs, keys. Each package has
// the values of one noun, which states may follow which, and how its fields are checked.
//
// Packages here store nothing and call nobody.
package domain
