package store_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
)

const recordPath = "db/" + db.VerificationName

// states returns what is said of a database without and with reading its files.
func states(t *testing.T, fs vfs.FS) (quick, full string, err error) {
	t.Helper()
	d, err := store.Open("db", &store.Options{FS: fs})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	v, err := d.Verification()
	require.NoError(t, err)
	w, err := d.Check(t.Context())
	return v.State, w.State, err
}

// rewriteRecord changes a record, leaving its file with a valid checksum.
func rewriteRecord(t *testing.T, fs vfs.FS, change func(*db.VerificationRecord)) {
	t.Helper()
	data := dbtest.ReadFile(t, fs, recordPath)
	var r db.VerificationRecord
	require.NoError(t, json.Unmarshal(data[:bytes.LastIndex(data, []byte("xxh64"))], &r))
	change(&r)
	text, err := json.Marshal(&r)
	require.NoError(t, err)
	dbtest.WriteFile(t, fs, recordPath, dbtest.Sealed(append(text, '\n')))
}

// TestVerification has databases that were verified, and changed since in some way.
func TestVerification(t *testing.T) {
	s := dbtest.TicTacToe(t)
	lie := s.Clone()
	lie.Values[s.U.Start] = games.Win(9)
	replace := func(t *testing.T, fs vfs.FS) {
		t.Helper()
		require.NoError(t, fs.Remove("db/"+db.ManifestName))
		require.NoError(t, fs.RemoveAll("db/store"))
		lie.Write(t, fs)
	}
	none := func(*testing.T, vfs.FS) {}
	for _, c := range []struct {
		name        string
		change      func(*testing.T, vfs.FS)
		quick, full string
		damage      string // that Check finds
	}{
		{"nothing", none, db.Recorded, db.Verified, ""},
		{"the record is removed", func(t *testing.T, fs vfs.FS) {
			require.NoError(t, store.RemoveVerification(fs, "db"))
			require.NoError(t, store.RemoveVerification(fs, "db"), "there is none")
		}, db.Unverified, db.Unverified, ""},
		{"a directory in the place of the record", func(t *testing.T, fs vfs.FS) {
			require.NoError(t, store.RemoveVerification(fs, "db"))
			require.NoError(t, fs.MkdirAll(recordPath, 0o700))
		}, db.Stale, db.Stale, ""},
		{"a value, all checksums right", replace, db.Stale, db.Stale, ""},
		{"a value, the old logical checksum", func(t *testing.T, fs vfs.FS) {
			old, err := store.ReadManifest(fs, "db")
			require.NoError(t, err)
			replace(t, fs)
			dbtest.RewriteManifest(t, fs, func(m *db.Manifest) { m.Checksum = old.Checksum })
		}, db.Stale, "", "the logical checksum is "},
		{"a value, the old content and checksum", func(t *testing.T, fs vfs.FS) {
			old, err := store.ReadManifest(fs, "db")
			require.NoError(t, err)
			replace(t, fs)
			dbtest.RewriteManifest(t, fs, func(m *db.Manifest) { m.Checksum, m.Content = old.Checksum, old.Content })
		}, db.Stale, "", "the logical checksum is "},
		{"a table", func(t *testing.T, fs vfs.FS) {
			data := dbtest.ReadFile(t, fs, "db/store/000004.sst")
			data[40]++
			dbtest.WriteFile(t, fs, "db/store/000004.sst", data)
		}, db.Recorded, "", "file 000004.sst has "},
		{"the manifest, of no importance", func(t *testing.T, fs vfs.FS) {
			dbtest.RewriteManifest(t, fs, func(m *db.Manifest) { m.Built.By = "somebody" })
		}, db.Stale, db.Stale, ""},
		{"a hash in the record", func(t *testing.T, fs vfs.FS) {
			rewriteRecord(t, fs, func(r *db.VerificationRecord) { r.Files[1].SHA256 = r.Files[0].SHA256 })
		}, db.Recorded, db.Stale, ""},
		{"a file less in the record", func(t *testing.T, fs vfs.FS) {
			rewriteRecord(t, fs, func(r *db.VerificationRecord) { r.Files = r.Files[:1] })
		}, db.Recorded, db.Stale, ""},
		{"no files in the record", func(t *testing.T, fs vfs.FS) {
			rewriteRecord(t, fs, func(r *db.VerificationRecord) { r.Files = nil })
		}, db.Stale, db.Stale, ""},
		{"the format of the record", func(t *testing.T, fs vfs.FS) {
			rewriteRecord(t, fs, func(r *db.VerificationRecord) { r.Format++ })
		}, db.Stale, db.Stale, ""},
		{"a byte of the record", func(t *testing.T, fs vfs.FS) {
			data := dbtest.ReadFile(t, fs, recordPath)
			data[20] ^= 1
			dbtest.WriteFile(t, fs, recordPath, data)
		}, db.Stale, db.Stale, ""},
		{"the record is empty", func(t *testing.T, fs vfs.FS) {
			dbtest.WriteFile(t, fs, recordPath, nil)
		}, db.Stale, db.Stale, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := vfs.NewMem()
			s.Write(t, fs)
			quick, full, err := states(t, fs)
			require.NoError(t, err)
			require.Equal(t, []string{db.Unverified, db.Unverified}, []string{quick, full}, "a solve verifies nothing")
			v := dbtest.RequireSound(t, fs, s.U)
			require.NoError(t, store.WriteVerification(fs, "db", "test 1.0", time.Unix(0, 0), v.Content))
			c.change(t, fs)
			quick, full, err = states(t, fs)
			require.Equal(t, []string{c.quick, c.full}, []string{quick, full})
			if c.damage == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, db.ErrCorrupt)
			require.ErrorContains(t, err, c.damage)
		})
	}
}

func TestVerificationText(t *testing.T) {
	at := time.Date(2026, 11, 25, 23, 0, 0, 0, time.UTC)
	for want, v := range map[string]db.Verification{
		"not verified":                         {State: db.Unverified},
		"verified on 2026-11-25 by yomikiri 1": {State: db.Verified, By: "yomikiri 1", At: at},
		"recorded as verified on 2026-11-25 by yomikiri 1; the content of its files was not compared with the record": {State: db.Recorded, By: "yomikiri 1", At: at},
		"not verified: what was verified on 2026-11-25 by yomikiri 1 had other content":                               {State: db.Stale, By: "yomikiri 1", At: at},
		"not verified: the record of a verification is damaged or cannot be read":                                     {State: db.Stale},
	} {
		require.Equal(t, want, v.String())
	}
}
