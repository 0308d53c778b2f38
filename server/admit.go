package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// admission says which requests are answered, by their headers. Browsers send on behalf of
// pages that the user did not mean to let in.
type admission struct {
	hosts map[string]bool // beside the names of loopback; nil if all names are answered
	posts *http.CrossOriginProtection
	any   bool // posts come from anywhere
}

// newAdmission returns what c asks for.
func newAdmission(c *Config) (*admission, error) {
	a := &admission{posts: http.NewCrossOriginProtection(), any: c.Origin == "*"}
	if c.Origin != "" && !a.any {
		if err := a.posts.AddTrustedOrigin(c.Origin); err != nil {
			return nil, err
		}
	}
	if c.Loopback {
		a.hosts = map[string]bool{}
		for _, name := range c.Hosts {
			a.hosts[strings.ToLower(name)] = true
		}
	}
	return a, nil
}

// check returns an error unless a request is to be answered.
func (a *admission) check(r *http.Request) error {
	if name := hostName(r.Host); a.hosts != nil && !isLoopback(name) && !a.hosts[name] {
		return &statusError{http.StatusMisdirectedRequest, codeForbidden,
			fmt.Errorf("host %q: this server is for this machine only, as localhost or 127.0.0.1; yomikiri serve --host adds a name", r.Host)}
	}
	return a.origin(r, r.Method)
}

// costly returns an error unless a request that takes long is to be answered. A page elsewhere
// could ask for it by an image or a link, as often as it likes, even if it cannot read the answer.
func (a *admission) costly(r *http.Request) error { return a.origin(r, http.MethodPost) }

// origin returns an error if a page of another origin has sent a request, treated as one with the given
// method.
func (a *admission) origin(r *http.Request, method string) error {
	as := *r
	if as.Method = method; !a.any && a.posts.Check(&as) != nil {
		return &statusError{http.StatusForbidden, codeForbidden,
			fmt.Errorf("%s from a page of another origin: yomikiri serve --cors says which origin may", r.Method)}
	}
	return nil
}

// hostName returns a host without its port, in lower case.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// isLoopback reports whether a host name always means this machine.
func isLoopback(name string) bool {
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}
