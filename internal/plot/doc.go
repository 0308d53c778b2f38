// Package plot draws plots as SVG: lines, marks and borders over one axis, linear or logarithmic,
// alone or several on a sheet.
package plot
