package reader

import (
	"slices"
	"testing"
)

func TestGroupsAndPublicDecideWhoSeesAPage(t *testing.T) {
	anyone, staff := View{}, New("staff")
	nobody := View{Anonymous: true}
	for _, c := range []struct {
		page Visibility
		want [3]bool // readers who are not signed in, are in no group, are in staff
	}{
		{Visibility{}, [3]bool{false, true, true}},
		{Visibility{Public: true}, [3]bool{true, true, true}},
		{Visibility{Groups: []string{"staff"}}, [3]bool{false, false, true}},
		{Visibility{Groups: []string{"partner", " staff "}}, [3]bool{false, false, true}},
		{Visibility{Groups: []string{"partner"}}, [3]bool{false, false, false}},
		{Visibility{Groups: []string{"Staff"}}, [3]bool{false, false, false}},
		{Visibility{Groups: []string{""}}, [3]bool{false, false, false}},
		{Visibility{Public: true, Groups: []string{"partner"}}, [3]bool{true, true, true}},
	} {
		if got := [3]bool{nobody.Allows(c.page), anyone.Allows(c.page), staff.Allows(c.page)}; got != c.want {
			t.Errorf("%+v: %v, want %v", c.page, got, c.want)
		}
	}
}

func TestKeyIdentifiesAView(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range []View{
		{}, {Anonymous: true}, New("a"), New("a", "b"), New("a,b"), New("anonymous"), New("groups=a"), New("ü %2C"),
	} {
		key := v.Key()
		back, err := Parse(key)
		if err != nil || back.Anonymous != v.Anonymous || !slices.Equal(back.Groups, v.Groups) || seen[key] {
			t.Errorf("%+v has the key %q, which is %+v, %v", v, key, back, err)
		}
		seen[key] = true
	}
	if a, b := New("b", "a", "b", " ", "a "), Split("a, b,,"); a.Key() != b.Key() || len(a.Groups) != 2 {
		t.Errorf("%v and %v", a, b)
	}
	for _, bad := range []string{"x", "groups=%", "group=a"} {
		if v, err := Parse(bad); err == nil {
			t.Errorf("%q is the view %v", bad, v)
		}
	}
}

func TestLargestNeverShowsMoreThanTheReaderMaySee(t *testing.T) {
	built := []View{{Anonymous: true}, {}, New("a"), New("a", "b"), New("c")}
	for _, c := range []struct {
		reader View
		want   int
	}{
		{View{Anonymous: true}, 0}, {View{}, 1}, {New("a"), 2}, {New("b"), 1}, {New("a", "b"), 3},
		{New("a", "b", "x"), 3}, {New("a", "c"), 2}, {New("x"), 1},
	} {
		if got := c.reader.Largest(built); got != c.want {
			t.Errorf("%v gets %d, want %d", c.reader, got, c.want)
		}
	}
	if got := (View{Anonymous: true}).Largest(built[1:]); got != -1 {
		t.Errorf("a reader who has not signed in gets %v", built[got+1])
	}
}

func TestWithinDropsGroupsThatTheSiteDoesNotUse(t *testing.T) {
	if v := New("a", "b", "c").Within([]string{"a", "c", "d"}); v.Key() != "groups=a,c" {
		t.Error(v)
	}
	if v := (View{Anonymous: true}).Within([]string{"a"}); !v.Anonymous {
		t.Error(v)
	}
}
