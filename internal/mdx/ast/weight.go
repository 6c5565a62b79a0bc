package ast

// Sizes that Weight counts for what has no text, in bytes.
const (
	valueWeight = 16
	nodeWeight  = 64
)

// Weight returns the approximate size of a value when it is written, in bytes: shared parts count each time, because a
// page shows them each time. It stops counting at most, so that deeply shared values cost no more than that.
func Weight(v Value, most int) int {
	w := &scale{most: most}
	w.value(v)
	return w.sum
}

type scale struct{ sum, most int }

// add counts and reports whether to continue.
func (w *scale) add(n int) bool {
	w.sum = min(w.sum+n, w.most)
	return w.sum < w.most
}

func (w *scale) value(v Value) bool {
	switch v := v.(type) {
	case string:
		return w.add(valueWeight + len(v))
	case []Value:
		for _, e := range v {
			if !w.value(e) {
				return false
			}
		}
	case *Object:
		for _, k := range v.Keys {
			if !w.add(len(k)) || !w.value(v.Values[k]) {
				return false
			}
		}
	case Nodes:
		return w.nodes(v)
	}
	return w.add(valueWeight)
}

func (w *scale) nodes(nodes []Node) bool {
	for _, n := range nodes {
		if !w.add(nodeWeight) {
			return false
		}
		switch n := n.(type) {
		case *Text:
			w.add(len(n.Value))
		case *CodeSpan:
			w.add(len(n.Value))
		case *Code:
			w.add(len(n.Text))
		case *Element:
			for _, p := range n.Props {
				if !w.value(p.Value) {
					return false
				}
			}
		}
		if p, ok := n.(Parent); ok && !w.nodes(*p.List()) {
			return false
		}
	}
	return w.sum < w.most
}
