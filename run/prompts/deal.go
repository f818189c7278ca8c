package prompts

import (
	"context"
	"fmt"
	"strings"

	"benchguide/bench"
)

// dealer hands out prompts, none of them twice.
type dealer struct {
	request Request
	count   bench.Counter
	seen    map[string]bool // texts that were handed out
	pools   map[string]*pool
	made    int // prompts that were made up so far
}

// pool is what is left of a dataset's prompts.
type pool struct {
	source *source // nil: the prompts are made up
	rest   []bench.Prompt
	size   int // usable prompts in all
}

// deal fills one list.
func (d *dealer) deal(ctx context.Context, j job, all []job) (List, error) {
	list := List{Name: j.name, Dataset: j.dataset}
	if j.synthetic() {
		list.Synthetic = fmt.Sprintf("random words, %d tokens each", j.input)
		return list, d.make(ctx, &list, j, fixed(j))
	}
	p, err := d.pool(ctx, j.dataset, all)
	if err != nil {
		return list, err
	}
	if p.source == nil {
		list.Synthetic = "random words, with lengths such as ShareGPT's conversations have"
		return list, d.make(ctx, &list, j, d.request.chatLike)
	}
	list.Source = p.source.sha256
	for len(list.Prompts) < j.want && len(p.rest) > 0 {
		next := p.rest[0]
		p.rest = p.rest[1:]
		d.take(&list, next, j)
	}
	if len(list.Prompts) < j.want {
		return list, tooFew(p, j.dataset, all)
	}
	return list, nil
}

// take adds a prompt to a list, cleaned, unless its text was handed out before.
func (d *dealer) take(list *List, p bench.Prompt, j job) {
	text, replaced, ok := clean(p.Text)
	if !ok || d.seen[text] {
		return
	}
	d.seen[text] = true
	list.Replaced += replaced
	p.Text = text
	if j.output > 0 {
		p.Output = j.output
	}
	list.Prompts = append(list.Prompts, p)
}

// make fills a list with made-up prompts. Each begins with a number that no other of the
// set has, so that none is answered from a cache; one that cannot be used is left out.
func (d *dealer) make(ctx context.Context, list *List, j job, lengths func(n int) (input, output int)) error {
	last := d.made + 2*j.want
	for len(list.Prompts) < j.want {
		if d.made > last {
			return fmt.Errorf("workload %s: %d prompts of random words cannot be made; ask for longer ones", j.name, j.want)
		}
		w := bench.Random{Seed: uint64(d.request.Seed), First: d.made}
		w.Input, w.Output = lengths(d.made)
		n := 1
		if j.synthetic() { // all have one length, and are counted several at a time
			n = j.want - len(list.Prompts)
		}
		d.made += n
		made, err := w.Prompts(ctx, n, d.count)
		if err != nil {
			return fmt.Errorf("workload %s: %w", j.name, err)
		}
		for _, p := range made {
			d.take(list, p, j)
		}
	}
	return nil
}

// pool reads a dataset once, with enough prompts for all lists that draw on it.
func (d *dealer) pool(ctx context.Context, dataset string, all []job) (*pool, error) {
	if p, ok := d.pools[dataset]; ok {
		return p, nil
	}
	src, err := d.request.find(dataset)
	if err != nil {
		return nil, err
	}
	p := &pool{source: src}
	d.pools[dataset] = p
	if src == nil {
		return p, nil
	}
	need := 0
	for _, j := range all {
		if j.dataset == dataset && !j.synthetic() {
			need += j.want
		}
	}
	seed := seedOf(d.request.Seed, "dataset "+dataset, 0)
	// Some prompts are there twice, or cannot be published: then more are read.
	for n := need + need/8 + 16; ; n *= 2 {
		read, err := src.read(ctx, n, seed, fallback(dataset, all), d.count)
		if err != nil {
			return nil, fmt.Errorf("dataset %q: %w", dataset, err)
		}
		p.rest, p.size = read, usable(read)
		if p.size >= need || len(read) < n {
			return p, nil
		}
	}
}

// usable counts the different prompts that may be published.
func usable(prompts []bench.Prompt) int {
	texts := map[string]bool{}
	for _, p := range prompts {
		if text, _, ok := clean(p.Text); ok {
			texts[text] = true
		}
	}
	return len(texts)
}

func tooFew(p *pool, dataset string, all []job) error {
	var who []string
	need := 0
	for _, j := range all {
		if j.dataset == dataset && !j.synthetic() {
			who = append(who, fmt.Sprintf("%d by %s", j.want, j.name))
			need += j.want
		}
	}
	return fmt.Errorf("dataset %q: %s has %d usable prompts, and %d are needed (%s), since none is sent twice; ask for fewer, or give a larger file",
		dataset, p.source.path, p.size, need, strings.Join(who, ", "))
}
