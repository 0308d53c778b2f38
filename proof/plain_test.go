package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/yomikiri/yomikiri/proof"
	second "github.com/yomikiri/yomikiri/proof/plain"
)

// agree returns an error if the plain checker does not say of a file what the other one says.
// All tests of this package that check a file call it, so the checkers are compared on all
// that these tests accept or refuse.
func agree(data []byte, report proof.Report, err error) error {
	got, other := second.Check(context.Background(), bytes.NewReader(data), second.Options{})
	switch {
	case errors.Is(err, errNoRules):
		return nil // the other one never saw the file
	case errors.Is(err, proof.ErrLimit) || errors.Is(other, second.ErrLimit):
		return nil // their limits differ
	case err == nil && other == nil:
		same := proof.Report{Counts: proof.Counts(got.Counts), Replies: got.Replies, Immediate: got.Immediate, Ranks: got.Ranks, Bytes: got.Bytes, Live: got.Live}
		if a, b := fmt.Sprintf("%+v", report), fmt.Sprintf("%+v", same); a != b {
			return fmt.Errorf("the plain checker counts %s, the other one %s", b, a)
		}
		return sameHeader(data, got.Header)
	case err != nil && other != nil && isRefusal(err) == errors.Is(other, second.ErrRefused):
		return nil
	}
	return fmt.Errorf("the plain checker says %v, the other one %v", other, err)
}

// sameHeader returns an error unless both checkers have read the same in every field of a header.
func sameHeader(data []byte, other second.Header) error {
	r, err := proof.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	a, b := reflect.ValueOf(r.Header()), reflect.ValueOf(other)
	for _, field := range reflect.VisibleFields(a.Type()) {
		own, its := a.FieldByIndex(field.Index), b.FieldByName(field.Name)
		if !its.IsValid() {
			return fmt.Errorf("the plain checker does not report the field %s of the header", field.Name)
		}
		if x, y := fmt.Sprint(own), fmt.Sprint(its); x != y {
			return fmt.Errorf("the plain checker reads %q as %s of the header, the other one %q", y, field.Name, x)
		}
	}
	return nil
}
