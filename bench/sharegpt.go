package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// The lengths in tokens of the conversations that are used, those of vLLM's client.
const (
	shortestTurn   = 4
	longestPrompt  = 1024
	longestRequest = 2048
)

// ShareGPT takes n prompts from a file of conversations: the first turn is the prompt,
// and the second turn's length is how much may be generated, unless output is given.
// The order is drawn from the seed. Other clients draw in other ways, so that the same
// seed gives each of them other prompts; a prompt file makes them equal.
func ShareGPT(ctx context.Context, file string, r io.Reader, n, output int, seed uint64, count Counter) ([]Prompt, error) {
	var all []struct {
		Turns []struct {
			Value string `json:"value"`
		} `json:"conversations"`
	}
	if err := json.NewDecoder(r).Decode(&all); err != nil {
		return nil, fmt.Errorf("%s is no ShareGPT file, an array of objects with conversations: %w", file, err)
	}
	source(seed, "conversations").Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var prompts []Prompt
	for _, c := range all {
		if len(prompts) == n {
			break
		}
		if len(c.Turns) < 2 {
			continue
		}
		p, ok, err := conversation(ctx, c.Turns[0].Value, c.Turns[1].Value, output, count)
		if err != nil {
			return nil, err
		}
		if ok {
			prompts = append(prompts, p)
		}
	}
	return prompts, nil
}

// conversation returns the prompt of a conversation, and false when its lengths are
// not those of a chat.
func conversation(ctx context.Context, question, answer string, output int, count Counter) (Prompt, bool, error) {
	// Counting asks the server: what is too long by any vocabulary is not sent to it.
	const longestToken = 64
	if question == "" || len(question) > longestPrompt*longestToken {
		return Prompt{}, false, nil
	}
	input, err := count.Count(ctx, question)
	if err != nil || input < shortestTurn || input > longestPrompt {
		return Prompt{}, false, err
	}
	if output <= 0 {
		if len(answer) > longestRequest*longestToken {
			return Prompt{}, false, nil
		}
		if output, err = count.Count(ctx, answer); err != nil || output < shortestTurn {
			return Prompt{}, false, err
		}
	}
	return Prompt{question, output}, input+output <= longestRequest, nil
}
