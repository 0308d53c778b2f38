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

// variants returns the variants that are built in, and those of files. Of a file, sections that cannot be read are left
// out; the command games says why.
func variants(files []string) (list []ui.Plugin, err error) {
	add := func(f *variant.File, name string) error {
		as := name
		if slices.ContainsFunc(Games, func(p ui.Plugin) bool { return p.Name == name }) {
			as = variant.Prefix + name
		}
		if slices.ContainsFunc(list, func(p ui.Plugin) bool { return p.Name == as }) {
			return ui.Usage(fmt.Errorf("the variant %s is there already: give the section another name", name))
		}
		family, err := f.Family(as)
		if err != nil {
			return nil
		}
		list = append(list, ui.Plugin{Family: app.New(family)})
		return nil
	}
	for _, name := range variant.BuiltIn().Names() {
		if err := add(variant.BuiltIn(), name); err != nil {
			return nil, err
		}
	}
	for _, path := range files {
		f, err := readVariants(path)
		if err != nil {
			return nil, err
		}
		for _, name := range f.Names() {
			if err := add(f, name); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return list, nil
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
