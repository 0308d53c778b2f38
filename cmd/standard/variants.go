package standard

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/variant"
)

// Variants are the games from files of variants. A program that has them lists it beside [Games].
var Variants = ui.Plugin{Variants: variants}

// variants returns the variants that are built in, and those of files.
func variants(files []string) (list []ui.Plugin, broken []error, err error) {
	add := func(f *variant.File, name string) {
		as := name
		if slices.ContainsFunc(Games, func(p ui.Plugin) bool { return p.Name == name }) {
			as = variant.Prefix + name
		}
		family := app.New(f.Family(name, as))
		family.Large = f.Large(name)
		list = append(list, ui.Plugin{Family: family})
	}
	in := map[string]*variant.File{}
	for _, name := range variant.BuiltIn().Names() {
		in[name] = variant.BuiltIn()
		add(variant.BuiltIn(), name)
	}
	for _, path := range files {
		f, err := readVariants(path)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range f.Names() {
			g, err := f.Game(name)
			if err != nil {
				broken = append(broken, err)
				continue
			}
			if there := in[name]; there != nil {
				// A section that says the same again is no error.
				if same, err := there.Game(name); err != nil || same.Canonical() != g.Canonical() {
					broken = append(broken, fmt.Errorf("%s: the variant %s is there already, with other rules: give the section another name", path, name))
				}
				continue
			}
			in[name] = f
			add(f, name)
		}
	}
	return list, broken, nil
}

func readVariants(path string) (f *variant.File, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, ui.Usage(err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if f, err = variant.Read(path, file, variant.BuiltIn()); err != nil {
		return nil, ui.Usage(err)
	}
	return f, nil
}
