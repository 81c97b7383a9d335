//! Known numbers: lines of play, start positions, whole trees, games of a fixed player. The data and
//! their sources are in `data/`.

use crate::common::{open, table};
use upstar_games::{
    AnyGame, Color, Game, OpenError, Rules, Start, Variant, perft, with_game, with_rules,
};

#[test]
fn lines_of_play_are_as_many_as_others_count() {
    for [game, position, depth, nodes] in table(include_str!("../data/perft.csv")) {
        let opened = open(game, position, None);
        let depth = depth.parse().expect("a depth");
        let found = with_rules!(&opened, |rules, start| perft(rules, start, depth));
        assert_eq!(
            found.to_string(),
            nodes,
            "{game} {position} at depth {depth}"
        );
    }
}

/// The start position as text, or the refusal.
fn opened(game: &str, start: &str) -> Result<String, OpenError> {
    let variant: Variant = game.parse().expect("a game");
    let start: Start = start.parse().expect("a start");
    let game = AnyGame::open(variant, &start, None)?;
    Ok(with_rules!(&game, |rules, start| {
        assert_eq!(rules.side_to_move(start).letter(), 'x');
        rules.setup(start).to_string()
    }))
}

#[test]
fn games_begin_where_the_design_says() {
    for [game, size, position] in table(include_str!("../data/starts.csv")) {
        let found = opened(game, size).map_err(|error| error.to_string());
        let found = found.unwrap_or_else(|refusal| refusal);
        // A comma would end the column.
        assert_eq!(found.replace(',', ";"), position, "{game} {size}");
    }
}

/// The tree of all games, a pass being a move and the root a node.
#[derive(Default)]
struct Tree {
    nodes: u64,
    black_wins: u64,
    white_wins: u64,
    draws: u64,
}

impl Tree {
    fn grow<G: Game>(&mut self, game: &G, position: &G::Position) {
        self.nodes += 1;
        for mv in game.moves(position) {
            self.grow(game, &game.play_unchecked(position, mv));
        }
        if let Some(score) = game.black_score(position) {
            match score {
                1.. => self.black_wins += 1,
                0 => self.draws += 1,
                _ => self.white_wins += 1,
            }
        }
    }
}

fn check_trees(wanted: impl Fn(u32) -> bool) {
    for [game, position, numbers @ .., seconds] in table::<7>(include_str!("../data/trees.csv")) {
        if !wanted(seconds.parse().expect("seconds")) {
            continue;
        }
        let opened = open(game, position, None);
        let mut tree = Tree::default();
        with_game!(
            &opened,
            |game, start| tree.grow(game, start),
            unreachable!("a game for two")
        );
        let found = [tree.nodes, tree.black_wins, tree.white_wins, tree.draws];
        for (found, number) in found.iter().zip(numbers) {
            assert!(
                number.is_empty() || found.to_string() == number,
                "{game} {position}: {found} instead of {number}"
            );
        }
    }
}

#[test]
fn whole_trees_are_as_large_as_others_count() {
    check_trees(|seconds| seconds == 0);
}

#[test]
#[ignore = "7 seconds"]
fn the_whole_tree_of_4x5_is_as_large_as_others_count() {
    check_trees(|seconds| seconds > 0);
}

/// Whether Black wins when both sides always play their first move.
fn black_wins_with_first_moves<G: Game>(game: &G, start: &G::Position) -> bool {
    let mut position = *start;
    while let Some(mv) = game.moves(&position).next() {
        position = game.play_unchecked(&position, mv);
    }
    let score = game.score(&position).expect("the game is over");
    (score > 0) == (game.to_move(&position) == Color::Black)
}

#[test]
fn pick_first_against_itself_wins_as_in_table_5_1() {
    for [rows, cols, black, white, games, black_wins, ..] in
        table::<8>(include_str!("../data/leiden2018-table-5.1.csv"))
    {
        assert_eq!([black, white], ["pick_first"; 2]);
        let opened = open("clobber", &format!("{rows}x{cols}"), None);
        let found = with_game!(
            &opened,
            |game, start| black_wins_with_first_moves(game, start),
            unreachable!("Clobber is a game for two")
        );
        let expected = if found { games } else { "0" };
        assert_eq!(black_wins, expected, "{rows}x{cols}");
    }
}
