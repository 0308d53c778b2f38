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
	rules := map[string]string{} // by name, so that a section that says the same again is no error
	add := func(f *variant.File, name string) error {
		g, err := f.Game(name)
		if err != nil {
			broken = append(broken, err)
			return nil
		}
		as := name
		if slices.ContainsFunc(Games, func(p ui.Plugin) bool { return p.Name == name }) {
			as = variant.Prefix + name
		}
		if there, ok := rules[name]; ok {
			if there == g.Canonical() {
				return nil
			}
			return ui.Usage(fmt.Errorf("the variant %s is there already, with other rules: give the section another name", name))
		}
		rules[name] = g.Canonical()
		family := app.New(g.Family(as))
		family.Large = g.Large()
		list = append(list, ui.Plugin{Family: family})
		return nil
	}
	for _, name := range variant.BuiltIn().Names() {
		if err := add(variant.BuiltIn(), name); err != nil {
			return nil, nil, err
		}
	}
	for _, path := range files {
		f, err := readVariants(path)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range f.Names() {
			if err := add(f, name); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", path, err)
			}
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
