package chart

import (
	"sync/atomic"
	"testing"
)

// H5: every workload with several pods has a disruption budget for exactly these pods, which keeps at least one of
// them running and never blocks a node drain for a pod that does not serve. With autoscaling, only the autoscaler sets
// the number of pods.
func TestWorkloadsHaveBudgetsAndOptionalAutoscaling(t *testing.T) {
	var budgets, scalers atomic.Int64
	t.Run("sets", func(t *testing.T) {
		every(t, func(t *testing.T, objects []object) {
			for _, o := range objects {
				if k := kind(o); k != "Deployment" && k != "StatefulSet" {
					continue
				}
				least := number(o, "spec", "replicas")
				if scaler := scalerOf(objects, o); scaler != nil {
					scalers.Add(1)
					if at(o, "spec", "replicas") != nil {
						t.Errorf("%s: replicas are set despite an autoscaler", nameOf(o))
					}
					least = number(scaler, "spec", "minReplicas")
					if most := number(scaler, "spec", "maxReplicas"); least < 1 || most < least {
						t.Errorf("%s: scaled from %d to %d", nameOf(o), least, most)
					}
				}
				if least < 2 {
					continue
				}
				budgets.Add(1)
				checkBudget(t, objects, o, least)
			}
		})
	})
	if budgets.Load() == 0 || scalers.Load() == 0 {
		t.Errorf("%d workloads with a budget and %d with an autoscaler were rendered: this test would find nothing",
			budgets.Load(), scalers.Load())
	}
}

// scalerOf returns the autoscaler of a workload, or nil.
func scalerOf(objects []object, workload object) object {
	for _, o := range objects {
		if kind(o) == "HorizontalPodAutoscaler" && text(o, "spec", "scaleTargetRef", "kind") == kind(workload) &&
			text(o, "spec", "scaleTargetRef", "name") == nameOf(workload) {
			return o
		}
	}
	return nil
}

func checkBudget(t *testing.T, objects []object, workload object, replicas int64) {
	t.Helper()
	labels, _ := at(workload, "spec", "template", "metadata", "labels").(object)
	found := 0
	for _, o := range objects {
		if kind(o) != "PodDisruptionBudget" || !matches(at(o, "spec", "selector", "matchLabels"), labels) {
			continue
		}
		found++
		if away := number(o, "spec", "maxUnavailable"); away < 1 || away >= replicas {
			t.Errorf("%s: %d of %d pods may be unavailable", nameOf(workload), away, replicas)
		}
		if text(o, "spec", "unhealthyPodEvictionPolicy") != "AlwaysAllow" {
			t.Errorf("%s: a pod that does not serve blocks a node drain", nameOf(workload))
		}
	}
	if found != 1 {
		t.Errorf("%s has %d disruption budgets, want 1", nameOf(workload), found)
	}
}
