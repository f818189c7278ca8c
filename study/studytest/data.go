package studytest

import "encoding/json"

// Data returns what vLLM's client saves of the trial's requests: each has the same
// tokens, TTFT and TPOT, and each slot sends its next request when the last one has
// ended. At is when the first one was sent, by the machine's clock.
func (t Trial) Data(at float64) string {
	type list []float64
	var input, output, ttfts, starts list
	var itls []list
	errors := []string{}
	tokens := t.Output / t.Completed
	gaps := list{}
	for range tokens - 1 {
		gaps = append(gaps, t.TPOT/1000)
	}
	each := t.TTFT/1000 + float64(tokens-1)*t.TPOT/1000
	for i := range t.Completed {
		input, output = append(input, float64(t.Input/t.Completed+i%7)), append(output, float64(tokens))
		ttfts, itls, errors = append(ttfts, t.TTFT/1000), append(itls, gaps), append(errors, "")
		starts = append(starts, at+float64(i/t.Concurrency)*each)
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
