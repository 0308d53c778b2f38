package natscarrier

// Taking returns how many workers wait for a job.
func (f *Front) Taking() (number int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.workers {
		if w.taking != nil {
			number++
		}
	}
	return number
}
