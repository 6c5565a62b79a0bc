// Command packweb converts the npm packages in web/npm/node_modules into the few compact files in web/npm/dist that
// the binary embeds.
//
// Inputs: the packages unpacked by npm ci, and our scripts for author components (web/island). Outputs: icons, the
// formula typesetter with its fonts, bundled and minified scripts, the licence texts of all of them; the same bytes on
// every machine. Never: runs in the server, keeps a package that is not embedded, or uses the network.
package main
