package csscolor

import "testing"

func TestParseAcceptsOnlyHexadecimalColours(t *testing.T) {
	for in, want := range map[string]string{"#fff": "#ffffff", "#0F766E": "#0f766e", "#abc": "#aabbcc"} {
		if c, ok := Parse(in); !ok || c.String() != want {
			t.Errorf("%s is %s, %v", in, c, ok)
		}
	}
	for _, in := range []string{"", "#", "#12", "#12345", "#1234567", "red", "#ggg", "#+12345", "#-1", "0f766e",
		"#12 456"} {
		if c, ok := Parse(in); ok {
			t.Errorf("%q is read as %s", in, c)
		}
	}
}

func TestApartReachesTheContrastRatio(t *testing.T) {
	grounds := []string{"#ffffff", "#000000", "#0e1014", "#fafaf9", "#282a36", "#eeeeee"}
	for _, ground := range grounds {
		for _, c := range []string{"#ffff00", "#ffffff", "#000000", "#808080", "#0f766e", "#ff0000"} {
			got := Apart(First(c), First(ground), 4.5)
			again, ok := Parse(got.String())
			if r := Ratio(again, First(ground)); !ok || r < 4.5 {
				t.Errorf("%s on %s became %s: %.2f", c, ground, got, r)
			}
		}
	}
	if got := Apart(First("#0f766e"), First("#ffffff"), 4.5); got.String() != "#0f766e" {
		t.Errorf("a readable colour was moved to %s", got)
	}
}

func TestRatioFollowsWCAG(t *testing.T) {
	if r := Ratio(First("#000"), First("#fff")); r < 20.99 || r > 21.01 {
		t.Errorf("black on white: %f", r)
	}
	if r := Ratio(First("#777777"), First("#ffffff")); r < 4.47 || r > 4.49 { // the well-known grey that just fails
		t.Errorf("grey on white: %f", r)
	}
	if On(First("#ffff00")).String() != "#000000" || On(First("#00008b")).String() != "#ffffff" {
		t.Error("the worse of black and white was chosen")
	}
}
