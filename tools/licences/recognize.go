package main

import "strings"

// allowed lists the licences that are compatible with an Apache-2.0 binary.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "CC-BY-4.0", "ISC",
	"MIT", "MPL-2.0", "OFL-1.1",
	"Unlicense", "Zlib"}

// recognize finds all licences in a text, by sentences that their variants share. A file may contain several.
func recognize(text string) []string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(parts ...string) bool {
		for _, p := range parts {
			if !strings.Contains(text, p) {
				return false
			}
		}
		return true
	}
	var found []string
	add := func(is bool, name string) {
		if is {
			found = append(found, name)
		}
	}
	bsd := has("redistribution and use in source and binary forms")
	neither := has("neither the name") || has("the names of its contributors may not be used") ||
		has("may not be used to endorse or promote")
	add(has("apache license", "version 2.0"), "Apache-2.0")
	add(bsd && neither, "BSD-3-Clause")
	add(bsd && !neither, "BSD-2-Clause")
	// The font licence uses the MIT text, but for fonts.
	grants := strings.Count(text, "permission is hereby granted, free of charge")
	fonts := strings.Count(text, "free of charge, to any person obtaining a copy of the font software")
	add(grants > fonts, "MIT")
	add(fonts > 0 && has("sil open font license"), "OFL-1.1")
	add(has("permission to use, copy, modify, and", "distribute this software for any purpose"), "ISC")
	add(has("mozilla public license version 2.0") || has("mozilla public license, version 2.0"), "MPL-2.0")
	add(has("this is free and unencumbered software"), "Unlicense")
	add(has("cc0 1.0 universal"), "CC0-1.0")
	add(has("blue oak model license"), "BlueOak-1.0.0")
	// Other licences, such as the MPL, also mention the GNU licences, but do not contain these sentences.
	add(has("the gnu affero general public license is a free, copyleft license"), "AGPL-3.0-only")
	add(has("the gnu general public license is a free, copyleft license"), "GPL-3.0-only")
	add(has("this version of the gnu lesser general public license incorporates"), "LGPL-3.0-only")
	add(has("the gnu general public license is intended to guarantee your freedom"), "GPL-2.0-only")
	return found
}
