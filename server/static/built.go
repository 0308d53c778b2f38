//go:build reader

package static

import "embed"

//go:embed built
var builtFiles embed.FS

// built returns the readers that are part of the program. .ci/reader writes their files.
func built() Readers {
	r := Readers{}
	for _, name := range []string{gamesReader, variantsReader, wasmExec} {
		data, err := builtFiles.ReadFile("built/" + name)
		if err != nil {
			panic(err) // .ci/reader was not run
		}
		r[name] = data
	}
	return r
}
