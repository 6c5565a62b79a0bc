// Package theme holds the front end of published sites: style sheets and scripts, as they stand in src.
//
// Inputs: nothing.
// Outputs: the files, the modules from which scripts are bundled, and the order in which style sheets are joined.
// Never: knows a page or a site; needs a build step: internal/script/jsbuild bundles the modules when a site is built.
package theme
