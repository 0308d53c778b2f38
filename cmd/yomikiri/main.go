package main

import (
	"github.com/yomikiri/yomikiri/cmd"
	"github.com/yomikiri/yomikiri/cmd/standard"
)

func main() { cmd.Main(append(standard.Games, standard.Variants)...) }
