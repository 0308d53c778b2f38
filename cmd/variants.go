package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
)

// Games from files are needed before the flags of a command are known, since rule options are flags. So the files are
// looked for in the arguments first.
const (
	variantsFlag = "variants"
	variantsEnv  = "YOMIKIRI_VARIANTS"
)

// withVariants returns the games of a list, and those that its plugins make from the files that the arguments and the
// environment name; and the sections that are none.
func withVariants(l plugins, args []string) (list plugins, refused []ui.Refused, err error) {
	var files []string
	for _, file := range filepath.SplitList(os.Getenv(variantsEnv)) {
		if file != "" {
			files = append(files, file)
		}
	}
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if file, ok := strings.CutPrefix(arg, "--"+variantsFlag+"="); ok {
			files = append(files, file)
		} else if arg == "--"+variantsFlag && i+1 < len(args) {
			files = append(files, args[i+1])
		}
	}
	for _, p := range l {
		if p.Variants == nil {
			list = append(list, p)
			continue
		}
		more, bad, err := p.Variants(files)
		if err != nil {
			return nil, nil, err
		}
		for i := range more {
			more[i].Variants, more[i].Refused = p.Variants, bad
		}
		list, refused = append(list, more...), append(refused, bad...)
	}
	return list, refused, nil
}

// variants reports whether games of the list come from files.
func (l plugins) variants() bool {
	return slices.ContainsFunc(l, func(p Plugin) bool { return p.Variant })
}

// refused returns why the section that spec names is no game; nil if there is no such section.
func (l plugins) refused(spec string) error {
	name := gameName(spec)
	for _, p := range l {
		for _, r := range p.Refused {
			if r.Name == name {
				return ui.Usage(r.Err)
			}
		}
	}
	return nil
}

// gameName returns the name of a game with rule options.
func gameName(spec string) string {
	name, prefixed := strings.CutPrefix(spec, games.VariantPrefix)
	if name, _, _ = strings.Cut(name, ":"); prefixed {
		return games.VariantPrefix + name
	}
	return name
}
