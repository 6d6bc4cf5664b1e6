// Command bench times one turn of the official Battlesnake engine and prints JSON lines.
//
// Only Ruleset.Execute stands between the two readings of the clock: no JSON, no choosing of
// moves, no growing of food. CPU time is read, not wall time, so that a busy machine does not
// blur the figure; run it with GOMAXPROCS=1, or the collector of garbage works on another core.
//
//	repeat   one position, stepped over and over with the same moves
//	games    whole random games, recorded beforehand and executed again turn by turn
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"syscall"

	"github.com/BattlesnakeOfficial/rules"
)

const side = 11

var moveNames = [4]string{rules.MoveUp, rules.MoveDown, rules.MoveLeft, rules.MoveRight}
var steps = [4]rules.Point{{Y: 1}, {Y: -1}, {X: -1}, {X: 1}}

// start is read from the caller, so that both sides play from the same board.
type start struct {
	Food   []rules.Point
	Snakes []struct {
		ID     string
		Health int
		Body   []rules.Point
	}
	Moves []int
}

func (s start) board() *rules.BoardState {
	board := rules.NewBoardState(side, side).WithTurn(80)
	board.Food = append(board.Food, s.Food...)
	for _, snake := range s.Snakes {
		body := append([]rules.Point{}, snake.Body...)
		board.Snakes = append(board.Snakes, rules.Snake{ID: snake.ID, Health: snake.Health, Body: body})
	}
	return board
}

// recorded is one turn of a recorded game: what is executed, and the food that came before it.
type recorded struct {
	moves []rules.SnakeMove
	food  *rules.Point
}

func cpu() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	seconds := usage.Utime.Sec + usage.Stime.Sec
	return float64(seconds) + float64(usage.Utime.Usec+usage.Stime.Usec)/1e6
}

func execute(engine rules.Ruleset, board *rules.BoardState, moves []rules.SnakeMove) (bool, *rules.BoardState) {
	over, next, err := engine.Execute(board, moves)
	if err != nil {
		panic(err)
	}
	return over, next
}

func repeat(engine rules.Ruleset, s start, seconds float64) float64 {
	board := s.board()
	moves := []rules.SnakeMove{}
	for i, snake := range board.Snakes {
		moves = append(moves, rules.SnakeMove{ID: snake.ID, Move: moveNames[s.Moves[i]]})
	}
	turns, begun := 0, cpu()
	for cpu()-begun < seconds {
		for i := 0; i < 1000; i++ {
			execute(engine, board, moves)
		}
		turns += 1000
	}
	return float64(turns) / (cpu() - begun)
}

// record plays one game by random moves that run into nothing where there is such a move.
func record(engine rules.Ruleset, s start, draw *rand.Rand) []recorded {
	game := []recorded{}
	board := s.board()
	for {
		taken := map[rules.Point]bool{}
		for _, snake := range board.Snakes {
			if snake.EliminatedCause == rules.NotEliminated {
				for _, cell := range snake.Body[:len(snake.Body)-1] {
					taken[cell] = true
				}
			}
		}
		turn := recorded{}
		for _, snake := range board.Snakes {
			if snake.EliminatedCause != rules.NotEliminated {
				continue
			}
			first := draw.Intn(4)
			chosen := first
			for i := 0; i < 4; i++ {
				to := snake.Body[0]
				to.X += steps[(first+i)%4].X
				to.Y += steps[(first+i)%4].Y
				if to.X >= 0 && to.Y >= 0 && to.X < side && to.Y < side && !taken[to] {
					chosen = (first + i) % 4
					break
				}
			}
			turn.moves = append(turn.moves, rules.SnakeMove{ID: snake.ID, Move: moveNames[chosen]})
		}
		if len(board.Food) < 3 {
			turn.food = &rules.Point{X: draw.Intn(side), Y: draw.Intn(side)}
			board.Food = append(board.Food, *turn.food)
		}
		over, next := execute(engine, board, turn.moves)
		if over {
			return game
		}
		game = append(game, turn)
		board = next
	}
}

func games(engine rules.Ruleset, s start, seconds float64) float64 {
	draw := rand.New(rand.NewSource(1))
	library := [][]recorded{}
	for i := 0; i < 200; i++ {
		library = append(library, record(engine, s, draw))
	}
	turns, begun := 0, cpu()
	for cpu()-begun < seconds {
		for _, game := range library {
			board := s.board()
			for _, turn := range game {
				if turn.food != nil {
					board.Food = append(board.Food, *turn.food)
				}
				_, board = execute(engine, board, turn.moves)
			}
			turns += len(game)
		}
	}
	return float64(turns) / (cpu() - begun)
}

func main() {
	seconds := flag.Float64("seconds", 2, "CPU seconds for each figure")
	flag.Parse()
	starts := []start{}
	if err := json.NewDecoder(os.Stdin).Decode(&starts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	engine := rules.NewRulesetBuilder().NamedRuleset(rules.GameTypeStandard)
	for _, s := range starts {
		line := map[string]any{
			"snakes": len(s.Snakes),
			"repeat": repeat(engine, s, *seconds),
			"games":  games(engine, s, *seconds),
		}
		if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
			panic(err)
		}
	}
}
