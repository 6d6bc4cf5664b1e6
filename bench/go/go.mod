module quadriga/bench

go 1.21

require github.com/BattlesnakeOfficial/rules v0.0.0-20251224000000-87e094e00000
