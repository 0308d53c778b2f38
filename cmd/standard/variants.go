package standard

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
)

// Variants are the games from files of variants. A program that has them lists it beside [Games].
var Variants = ui.Plugin{Variants: variants}

// variants returns the variants that are built in, and those of files.
func variants(files []string) (list []ui.Plugin, refused []ui.Refused, err error) {
	named := func(name string) string {
		if slices.ContainsFunc(Games, func(p ui.Plugin) bool { return p.Name == name }) {
			return games.VariantPrefix + name
		}
		return name
	}
	add := func(f *variant.File, name string) { list = append(list, plugin(f, name, named(name))) }
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
				refused = append(refused, ui.Refused{Name: named(name), Err: err})
				continue
			}
			if there := in[name]; there != nil {
				// A section that says the same again is no error.
				if same, err := there.Game(name); err != nil || same.RulesText() != g.RulesText() {
					err := fmt.Errorf("%s: the variant %s is there already, with other rules: give the section another name", path, name)
					refused = append(refused, ui.Refused{Name: named(name), Err: err})
				}
				continue
			}
			in[name] = f
			add(f, name)
		}
	}
	return list, refused, nil
}

// plugin returns a variant as a program offers it under a name.
func plugin(f *variant.File, name, as string) ui.Plugin {
	family := app.New(f.Family(name, as), app.Extra[games.Game[variant.Position, variant.Move], variant.Position, variant.Move]{Records: records.Variant(name)})
	family.Large = f.Large(name)
	return ui.Plugin{Family: family, Carried: carried, RulesText: func() string {
		g, err := f.Game(name)
		if err != nil {
			panic(err) // it was compiled before it was offered
		}
		return g.RulesText()
	}}
}

// carried returns the variant that a database or a proof names, by the rules that it carries.
func carried(spec, rules string) (ui.Plugin, error) {
	name, prefixed := strings.CutPrefix(spec, games.VariantPrefix)
	name, _, _ = strings.Cut(name, ":")
	f, err := variant.ReadRules(name, rules)
	if err != nil {
		return ui.Plugin{}, ui.Usage(err)
	}
	as := name
	if prefixed {
		as = games.VariantPrefix + name
	}
	return plugin(f, name, as), nil
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
