package retro

func (e *engine) save() error { return nil }
func (e *engine) load() error { return nil }
