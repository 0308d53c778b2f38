//go:build !race

package server_test

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/standard"
)

// families are the games of the command.
func families() (list []*app.Family) {
	for _, p := range standard.Games {
		list = append(list, p.Family)
	}
	return list
}
