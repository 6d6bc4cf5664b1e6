// The engine is added by bench/referee.py: at commit 87e094e by `go get`, or from a source folder.
module quadriga/bench

go 1.21
