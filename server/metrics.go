package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the answer to GET /metrics, in the format of Prometheus. Its library is
// linked by Pebble anyway.
type metrics struct {
	handler   http.Handler
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	positions prometheus.Counter
	closed    prometheus.Counter
}

func newMetrics(s *Server) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "yomikiri_requests_total", Help: "Requests by route and status.",
		}, []string{"route", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "yomikiri_request_seconds", Help: "Time that requests took, by route.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .1, .5, 1, 5, 10},
		}, []string{"route"}),
		positions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "yomikiri_positions_total", Help: "Positions answered.",
		}),
		closed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "yomikiri_connections_closed_total", Help: "Connections closed because there were too many.",
		}),
	}
	r := prometheus.NewRegistry()
	r.MustRegister(m.requests, m.durations, m.positions, m.closed, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	gauge := func(name, help string, value func() float64) {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	gauge("yomikiri_lookups", "Lookups and lines of play that run.", func() float64 { return float64(len(s.lookups)) })
	gauge("yomikiri_searches", "Searches that run.", func() float64 { return float64(len(s.searches)) })
	gauge("yomikiri_healthy", "1 if all databases fit their checksums and all proofs are checked.", func() float64 {
		if whole, _ := s.checks.all(); whole == healthOK {
			return 1
		}
		return 0
	})
	m.handler = promhttp.HandlerFor(r, promhttp.HandlerOpts{DisableCompression: true})
	return m
}

// route returns a function that counts the requests of a route.
func (m *metrics) route(pattern string) func(status int, d time.Duration) {
	durations := m.durations.WithLabelValues(pattern)
	ok := m.requests.WithLabelValues(pattern, "200")
	return func(status int, d time.Duration) {
		durations.Observe(d.Seconds())
		if status == http.StatusOK {
			ok.Inc()
			return
		}
		m.requests.WithLabelValues(pattern, strconv.Itoa(status)).Inc()
	}
}

// metered answers GET /metrics.
func (s *Server) metered(*request) (reply, error) { return reply{handler: s.metrics.handler}, nil }
