package ast

// Sizes in bytes that Weight counts for values and nodes in addition to their text.
const (
	valueWeight = 16
	nodeWeight  = 64
)

// Weight estimates the size of a value in rendered form, in bytes. A shared part counts each time it occurs, because
// the page contains it each time. It stops when the sum reaches most, so that it is fast even if many parts are shared.
func Weight(v Value, most int) int {
	w := &scale{most: most}
	w.value(v)
	return w.sum
}

type scale struct{ sum, most int }

// add adds to the sum and reports whether to continue.
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
