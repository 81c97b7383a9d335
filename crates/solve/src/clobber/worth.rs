//! Worth.
mod valuation;
use upstar_games::*;
use super::space::*;
use super::anywhere::*;
use valuation::Valuation;
/// Trial.
pub fn trial_worth(text: &str) {
    let budget = crate::Budget::unlimited();
    let setup: Setup = match text.parse::<Grid>() { Ok(g) => upstar_games::clobber::checkerboard(g), _ => text.parse().unwrap() };
    let Board::Grid(grid) = setup.board else { panic!() };
    let t = std::time::Instant::now();
    fn go<S: Space>(v: &mut Valuation<'_, S>, setup: &Setup, place: impl Fn(Cell) -> usize, t: std::time::Instant) {
        let set = |c: usize| setup.stones(c).iter().fold(S::Set::EMPTY, |s, cell| s.with(Cell::new(place(cell))));
        let val = v.value([set(0), set(1)]).unwrap();
        println!("{} comps {} games {} {:?}", v.games.name(val).cut(100), v.len(), v.games.len(), t.elapsed());
        println!("{} {:?}", std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmHWM")).unwrap(), t.elapsed());
        let n = v.games.name(val).cut(1000000).to_string().len();
        println!("name {} {:?}", n, t.elapsed());
        if v.games.is_all_small(val) {
            let w = v.games.atomic_weight(val).unwrap();
            println!("aw {} {:?}", v.games.name(w).cut(100), t.elapsed());
        }
    }
    if grid.rows() == 1 && grid.cols() <= 64 {
        go(&mut Valuation::new(Lattice::<64>, false, 50_000_000, &budget), &setup, |c| c.index(), t);
    } else if grid.rows() <= 8 && grid.cols() <= 8 {
        go(&mut Valuation::new(Lattice::<8>, false, 50_000_000, &budget), &setup, |c| { let (r,k) = grid.row_and_col(c); r*8+k }, t);
    } else if grid.rows() <= 2 && grid.cols() <= 32 {
        go(&mut Valuation::new(Lattice::<32>, false, 50_000_000, &budget), &setup, |c| { let (r,k) = grid.row_and_col(c); r*32+k }, t);
    } else {
        go(&mut Valuation::new(Plane::new(&grid), false, 50_000_000, &budget), &setup, |c| c.index(), t);
    }
}
