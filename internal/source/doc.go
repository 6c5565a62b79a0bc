// Package source documents the layer that reads content from elsewhere: Git repositories, folders, code hosts, and
// connections to addresses that authors or callers choose.
//
// Only this layer runs Git and opens connections to other servers for content. What it reads is untrusted input.
package source
