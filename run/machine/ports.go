package machine

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// DefaultPorts lies below the ports that Linux gives to outgoing connections
// (32768-60999), so that none of these can take a server's port between two starts.
const DefaultPorts = "18000-18999"

// PortStep is how many ports one server may use: its own and those that follow, for what
// its processes say to each other. Servers beside each other are this far apart.
const PortStep = 10

// portRange takes five digits at most, so that they are numbers.
var portRange = regexp.MustCompile(`^(\d{1,5})-(\d{1,5})$`)

// PortRange returns the first and the last port that servers may use.
func (p Profile) PortRange() (first, last int, err error) {
	text := p.Ports
	if text == "" {
		text = DefaultPorts
	}
	m := portRange.FindStringSubmatch(strings.ReplaceAll(text, " ", ""))
	if m == nil {
		return 0, 0, fmt.Errorf("ports is %q; a range is two numbers with a dash between them", text)
	}
	first, _ = strconv.Atoi(m[1]) // five digits at most
	last, _ = strconv.Atoi(m[2])
	switch {
	case first < 1024:
		return 0, 0, fmt.Errorf("ports is %q; the ports below 1024 belong to the system", text)
	case last > 65535:
		return 0, 0, fmt.Errorf("ports is %q; the last port there is is 65535", text)
	case last-first+1 < PortStep:
		return 0, 0, fmt.Errorf("ports is %q; a server takes %d ports, and there are fewer", text, PortStep)
	}
	return first, last, nil
}
