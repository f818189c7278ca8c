package run

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"benchguide/run/attempt"
	"benchguide/run/machine"
	"benchguide/study"
)

// Works are the prompts of a run: those of the warm-up, and of each workload in the
// order of the study.
type Works struct {
	Warmup    attempt.Work
	Workloads []attempt.Work
}

// orders makes orders of starts: what is the same in all of them.
type orders struct {
	folder   *study.Folder
	plan     Plan
	machine  machine.Profile
	works    Works
	sitting  string
	rehearse *attempt.Rehearse
}

// of is the order of a start.
func (o orders) of(s Start) (attempt.Order, error) {
	st := o.folder.Study
	nonce, err := nonceOf(o.folder.ID, s, o.rehearse != nil)
	if err != nil {
		return attempt.Order{}, err
	}
	order := attempt.Order{
		Schema: attempt.Schema, Nonce: nonce, Study: o.folder.ID, Stage: s.Stage, Candidate: s.Candidate,
		Number: s.Number, Block: s.Block, Sitting: o.sitting, Phase: s.Phase,
		Engine: s.Configuration.Engine.ID, Version: s.Configuration.Version,
		Command: s.Configuration.Engine.Print(s.Configuration.Command), Env: s.Configuration.Env,
		Model: st.Model, Hardware: st.Hardware, Machine: o.machine,
		Warmup: o.works.Warmup, Workloads: o.works.Workloads, Limits: st.Objective.Limits,
		Patience: attempt.DefaultPatience(),
	}
	if r := st.Run; r != nil {
		order.StopAtEOS = r.StopAtEOS
		if r.Temperature != nil {
			order.Temperature = *r.Temperature
		}
	}
	if o.rehearse != nil {
		// What starts differ by is drawn for each, and is the same when it is made again.
		r := *o.rehearse
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d", o.plan.Seed, s.Ref(), s.Number))
		r.Seed = int(binary.BigEndian.Uint32(sum[:]) >> 1)
		order.Rehearse = &r
	}
	return order, nil
}
