package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/lab/interval"
)

func TestPredictions(t *testing.T) {
	var erred []bool
	var right, wrong, same []float64
	for i := range 60 {
		erred = append(erred, i%3 == 0)
		right, wrong, same = append(right, float64(-(i%3))), append(wrong, float64(i%3)), append(same, 1)
	}
	list := Predictions(erred, 1, same, right, wrong)
	one := interval.Interval{Low: 1, Value: 1, High: 1}
	half := interval.Interval{Low: 0.5, Value: 0.5, High: 0.5}
	require.Equal(t, []Prediction{
		{half, interval.Interval{}},
		{one, half},
		{interval.Interval{}, interval.Interval{Low: -0.5, Value: -0.5, High: -0.5}},
	}, list)
}
