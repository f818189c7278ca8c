package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const (
	// axeFile is where npm puts the rules of accessibility.
	axeFile = "../node_modules/axe-core/axe.min.js"
	// patience is how long one test may use its tab. A page takes about a second, and
	// far longer on a machine that does much else.
	patience = 4 * time.Minute
)

// The two widths that pages are looked at in: a laptop and a phone.
const (
	wide  = 1280
	phone = 390
)

// machine is the one browser of all tests, and the site on disk that it shows.
type machine struct {
	dir  string // the site is in dir/site
	axe  string
	ctx  context.Context
	stop func() error
}

// started starts the browser when the first test asks for it.
var started = sync.OnceValues(start)

// errMissing says that something is not installed.
var errMissing = errors.New("is not installed")

func TestMain(m *testing.M) {
	code := m.Run()
	// Asked again after the tests, so that only a browser that was started is stopped.
	if browserUsed() {
		if b, err := started(); err == nil {
			if err := b.stop(); err != nil {
				fmt.Fprintln(os.Stderr, "stopping the browser:", err)
			}
		}
	}
	os.Exit(code)
}

// used is closed by the first test that asks for the browser.
var used = make(chan struct{})

var markUsed = sync.OnceFunc(func() { close(used) })

func browserUsed() bool {
	select {
	case <-used:
		return true
	default:
		return false
	}
}

// start finds what the browser tests need, writes the site and starts the browser.
func start() (*machine, error) {
	program, err := chromium()
	if err != nil {
		return nil, err
	}
	axe, err := os.ReadFile(axeFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("axe-core %w: run npm ci", errMissing)
	} else if err != nil {
		return nil, err
	}
	s, err := built()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "benchguide-e2e-*")
	if err != nil {
		return nil, err
	}
	if err := s.write(filepath.Join(dir, "site")); err != nil {
		return nil, err
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), flags(program, filepath.Join(dir, "profile"))...)
	ctx, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		stopAllocator()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	stop := func() error {
		err := chromedp.Cancel(ctx)
		stopAllocator()
		return errors.Join(err, os.RemoveAll(dir))
	}
	return &machine{dir: dir, axe: string(axe), ctx: ctx, stop: stop}, nil
}

// chromium finds the browser under the names that systems give it.
func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", fmt.Errorf("chromium %w", errMissing)
}

// flags keep the browser off the network, whatever a page or the browser itself asks
// for. Root, as in a container, has no sandbox.
func flags(program, profile string) []chromedp.ExecAllocatorOption {
	list := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.UserDataDir(profile),
		chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("no-pings", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
	)
	if os.Geteuid() == 0 {
		list = append(list, chromedp.NoSandbox)
	}
	return list
}

// theBrowser returns the browser. Without one the test is skipped by name, and fails
// where CI=true says that everything must run.
func theBrowser(t *testing.T) *machine {
	t.Helper()
	markUsed()
	b, err := started()
	if errors.Is(err, errMissing) && os.Getenv("CI") != "true" {
		t.Skipf("%s is NOT run: %v", t.Name(), err)
	}
	require.NoError(t, err)
	return b
}

// address is where the browser finds a page of the site.
func (b *machine) address(page string) string {
	file, fragment, found := strings.Cut(page, "#")
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(b.dir, "site", filepath.FromSlash(file)))}
	if found {
		u.Fragment = fragment
	}
	return u.String()
}

// view is how a page is looked at.
type view struct {
	width int64
	theme string // what the reader's system prefers: light or dark
}

// tab is one page in a profile of its own, so that what one test stores no other sees.
type tab struct {
	*machine
	ctx  context.Context
	view view

	mu     sync.Mutex
	faults []string
}

// open opens an empty tab for a test, which closes with it.
func open(t *testing.T, v view) *tab {
	t.Helper()
	b := theBrowser(t)
	ctx, closeTab := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(closeTab)
	require.NoError(t, chromedp.Do(ctx))
	ctx, cancel := context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	p := &tab{machine: b, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, p.watch))
	p.as(t, v)
	return p
}

// as makes the tab that of a reader with another screen or system. The page that is shown
// has to be loaded anew.
func (p *tab) as(t *testing.T, v view) {
	t.Helper()
	p.view = v
	size := []chromedp.EmulateViewportOption{}
	if v.width < 600 {
		size = append(size, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	require.NoError(t, chromedp.Do(p.ctx, chromedp.EmulateViewport(v.width, 800, size...)))
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.theme}}})
	require.NoError(t, err)
}

// show opens a page of the site in a new tab.
func show(t *testing.T, page string, v view) *tab {
	t.Helper()
	p := open(t, v)
	p.visit(t, p.address(page))
	return p
}

func (p *tab) visit(t *testing.T, address string) {
	t.Helper()
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Navigate(address)), address)
}

// do runs a script for what it does.
func (p *tab) do(t *testing.T, script string) {
	t.Helper()
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void](script)), script)
}

// ask runs a script for what it returns; a promise is waited for.
func ask[T any](t *testing.T, p *tab, script string) T {
	t.Helper()
	answer, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	require.NoError(t, err, script)
	return answer
}

// watch keeps what goes wrong while a page is shown. It runs on the goroutine that
// reads the browser's messages.
func (p *tab) watch(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			p.fault("console: %v", e.Args[0].Value)
		}
	case *runtime.EventExceptionThrown:
		p.fault("exception: %s", exceptionText(e.ExceptionDetails))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.fault("browser: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file:") && !strings.HasPrefix(e.Request.URL, "data:") {
			p.fault("network: asks for %s", e.Request.URL)
		}
	case *network.EventLoadingFailed:
		p.fault("failed request: %s", e.ErrorText)
	}
}

func (p *tab) fault(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// forget drops what went wrong on the page that was shown before.
func (p *tab) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
}

// seen returns what went wrong so far.
func (p *tab) seen() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.faults...)
}

// exceptionText is what a script threw: the message that the console would show.
func exceptionText(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}
