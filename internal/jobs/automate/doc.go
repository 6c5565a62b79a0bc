// Package automate starts agent jobs of automations, and replies to those who asked for one on a code host.
//
// Inputs: automations whose time has come, or that somebody asked for; what readers missed or said; new commits and tags of
// product repositories; findings of published sites; comments and labels on code hosts.
// Outputs: agent jobs, and an entry of the automation's log for each decision, in one transaction; replies.
// It never puts what readers or strangers wrote into a prompt: the agent gets it as untrusted data.
package automate
