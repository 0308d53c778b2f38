// Package dbtest has small games for the tests of db and db/verify, with values found
// in the simplest way, and helpers to write, change and verify their databases.
package dbtest
