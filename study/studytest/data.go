package studytest

import "encoding/json"

// Data returns what vLLM's client saves of the trial's requests: each has the same
// tokens, TTFT and TPOT, and each slot sends its next request when the last one has
// ended. At is when the first one was sent, by the machine's clock.
func (t Trial) Data(at float64) string { return t.Paced(at, nil) }

// Paced is Data of a trial in which tokens come faster or slower: pace multiplies the time to
// a token of a request, so many seconds after the first request was sent. Nil is a pace of
// one throughout.
func (t Trial) Paced(at float64, pace func(request int, second float64) float64) string {
	type list []float64
	var input, output, ttfts, starts list
	var itls []list
	errors := []string{}
	tokens := t.Output / t.Completed
	each := t.TTFT/1000 + float64(tokens-1)*t.TPOT/1000
	late := make([]float64, t.Concurrency) // by how much each slot lags behind
	for i := range t.Completed {
		slot := i % t.Concurrency
		sent := float64(i/t.Concurrency)*each + late[slot]
		now, gaps := sent+t.TTFT/1000, list{}
		for range tokens - 1 {
			gap := t.TPOT / 1000
			if pace != nil {
				late[slot] += gap * (pace(i, now) - 1)
				gap *= pace(i, now)
			}
			now, gaps = now+gap, append(gaps, gap)
		}
		input, output = append(input, float64(t.Input/t.Completed+i%7)), append(output, float64(tokens))
		ttfts, itls, errors = append(ttfts, t.TTFT/1000), append(itls, gaps), append(errors, "")
		starts = append(starts, at+sent)
	}
	data, err := json.Marshal(struct { // in the client's order: settings, counts, lists
		Date        string   `json:"date"`
		Endpoint    string   `json:"endpoint_type"`
		Backend     string   `json:"backend"`
		Model       string   `json:"model_id"`
		Prompts     int      `json:"num_prompts"`
		Concurrency int      `json:"max_concurrency"`
		Duration    float64  `json:"duration"`
		Completed   int      `json:"completed"`
		Input       int      `json:"total_input_tokens"`
		Output      int      `json:"total_output_tokens"`
		InputLens   list     `json:"input_lens"`
		OutputLens  list     `json:"output_lens"`
		TTFTs       list     `json:"ttfts"`
		ITLs        []list   `json:"itls"`
		Starts      list     `json:"start_times"`
		Errors      []string `json:"errors"`
	}{"20261130-210250", "openai", "openai", "Qwen/Qwen3-8B", t.Completed, t.Concurrency, t.seconds(), t.Completed, t.Input, t.Output,
		input, output, ttfts, itls, starts, errors})
	if err != nil {
		panic(err) // numbers and texts only
	}
	return string(data) + "\n"
}
