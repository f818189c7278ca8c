// Package e2e holds the tests of the finished site: of the published content, as a
// build writes it and as a browser shows it. It has no code of its own.
//
// The structure tests read the site's files and need nothing. The browser tests need
// Chromium and axe-core (package.json); where one of them is missing they are skipped
// by name, and fail if the environment says CI=true. No test touches the network.
package e2e
