// Command packweb turns the npm packages in web/npm/node_modules into the few compact files in web/npm/dist that the
// binary embeds.
//
// Inputs: the packages that npm ci unpacked, and our scripts of author components (web/island).
// Outputs: icons, the formula typesetter with its fonts, scripts joined and minified, the licence texts of all that; the
// same bytes on every machine.
// Never: runs in the server; keeps a package that nothing embeds; goes to the network.
package main
