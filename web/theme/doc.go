// Package theme holds the front end of published sites: the style sheets and scripts in src.
//
// Inputs: nothing.
// Outputs: the files, the modules from which scripts are bundled, and the order in which style sheets are joined.
// It does not depend on pages or sites, and needs no build step: internal/script/jsbuild bundles the modules when a
// site is built.
package theme
