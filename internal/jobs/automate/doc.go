// Package automate starts agent jobs of automations.
//
// Inputs: automations whose time has come, or that somebody asked for; what readers missed or said; new commits and tags of
// product repositories; findings of published sites.
// Outputs: agent jobs, and an entry of the automation's log for each decision, in one transaction.
// It never puts what readers wrote into a prompt: the agent gets it as untrusted data.
package automate
