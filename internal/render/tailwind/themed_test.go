package tailwind

import "testing"

// A class for which Themed returns false has the same declarations with every theme.
func TestOnlyThemedClassesDependOnTheme(t *testing.T) {
	one := New(Theme{Primary: "#112233", PrimaryLight: "#223344", PrimaryDark: "#334455", BackgroundLight: "#445566",
		BackgroundDark: "#556677"})
	two := New(Theme{Primary: "#aabbcc", PrimaryLight: "#bbccdd", PrimaryDark: "#ccddee", BackgroundLight: "#ddeeff",
		BackgroundDark: "#eeff00"})
	follow := 0
	for _, class := range []string{
		"bg-primary", "text-primary-light", "dark:hover:border-primary-dark/50", "from-background-light",
		"bg-background-dark", "bg-sky-500", "p-4", "text-[#fff]", "grid-cols-2",
		"bg-white", "ring-black/10", "fill-current", "shadow-lg", "decoration-slate-300", "accent-rose-500", "divide-y",
		"bg-transparent", "border", "outline-none",
	} {
		a, _ := one.Meaning(class)
		b, _ := two.Meaning(class)
		if a != b {
			follow++
			if !Themed(class) {
				t.Errorf("%s follows the theme", class)
			}
		}
	}
	if follow < 5 {
		t.Errorf("only %d classes follow the theme", follow)
	}
}
