package studytest

import (
	"fmt"
	"strings"
	"time"
)

// clockHeader is the first line of the file in which a run writes down its GPUs.
const clockHeader = "time,index,power.draw,power.limit,temperature.gpu,clocks.sm,clocks.mem,utilization.gpu,memory.used,clocks_event_reasons.active\n"

// Clocked is a run of three blocks, by our own client, of two GPUs whose clock was written
// down once a second. Each start takes five minutes, and its trial begins in the second
// after its first minute. Clock is that of a GPU so long after the start began.
func Clocked(clock func(index int, at time.Duration) float64) Blocks {
	b := Fleet("fast", "flat").Blocks(3, Noisy(Gains()))
	b.Plan.Goal = "latency"
	b.Own = true
	b.Each(`"nonce": "n", "power_watts": {"main": 400}, "times": {"began": "2026-11-30T21:00:00Z", "ended": "2026-11-30T21:05:00Z"}`, All)
	for i, s := range b.Starts {
		t := s.Trials["main"]
		t.TTFT, t.TPOT = t.TTFT*1000/t.Total, t.TPOT*1000/t.Total
		data := strings.Replace(t.Data(1000), `"20261130-210250"`, `"20261130-210100", "tokenizer_id": "m", "client": {"name": "benchguide bench"}`, 1)
		b.Starts[i].Trials = map[string]Trial{"main": t}
		b.Starts[i].Files = map[string]string{"main.json": data, "gpu.csv": clockFile(clock)}
	}
	return b
}

func clockFile(clock func(index int, at time.Duration) float64) string {
	began := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC)
	var file strings.Builder
	file.WriteString(clockHeader)
	for second := range 5 * 60 {
		at := time.Duration(second) * time.Second
		for index := range 2 {
			fmt.Fprintf(&file, "%s,%d,200,700,50,%g,3201,90,1000,0x0000000000000004\n", began.Add(at).Format("2006-01-02T15:04:05.000Z07:00"), index, clock(index, at))
		}
	}
	return file.String()
}
