package server

import (
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

//go:embed web
var web embed.FS

// Page returns the files of the web page, for a site without this server.
func Page() fs.FS {
	page, err := fs.Sub(web, "web")
	if err != nil {
		panic(err) // it is embedded
	}
	return page
}

// policy lets the page load what is embedded, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// page is the files of the web page, by path.
type page map[string]file

type file struct {
	data      []byte
	kind, tag string
}

func newPage() (page, error) {
	p := page{}
	err := fs.WalkDir(web, "web", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := web.ReadFile(name)
		if err != nil {
			return err
		}
		kind, ok := kinds[path.Ext(name)]
		if !ok {
			return fmt.Errorf("%s: no media type is known", name)
		}
		p[name[len("web"):]] = file{data, kind, fmt.Sprintf(`W/"%016x"`, xxhash.Sum64(data))}
		return nil
	})
	p["/"] = p["/index.html"]
	return p, err
}

// kinds are the media types of the page's files, which do not depend on the machine.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".ico": "image/x-icon",
	".js": "text/javascript; charset=utf-8", ".json": "application/json", ".mjs": "text/javascript; charset=utf-8",
	".png": "image/png", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
}

// serve answers with a file of the page. It reports whether there is one.
func (p page) serve(w http.ResponseWriter, r *http.Request) bool {
	f, ok := p[r.URL.Path]
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("ETag", f.tag)
	h.Set("Cache-Control", "no-cache") // ask whether it has changed
	if hasTag(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(f.data)))
	w.Write(f.data)
	return true
}
