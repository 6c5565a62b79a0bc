// Package automate starts agent jobs for automations, and replies to requests made on a code host.
//
// Inputs: automations that are due or were requested; searches and questions that found no answer; reader feedback;
// new commits and tags of product repositories; findings about published sites; comments and labels on code hosts.
// Outputs: agent jobs and an automation log entry for each decision, in one transaction; replies. It never puts text
// from readers or strangers into a prompt: the agent gets such text as untrusted data.
package automate
