// Command yomikiri solves games, queries solved ones, and verifies the databases
// that hold them. See "yomikiri help".
package main
