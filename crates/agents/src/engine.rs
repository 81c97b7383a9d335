//! stub
use crate::{agent::*, playable::Playable, resources::Resources, word::WordError};
use upstar_games::Random;
/// stub
pub struct Engine<G>(G);
impl<G: Playable> Engine<G> {
    /// stub
    /// # Errors
    /// always
    pub fn start(_: &G, _: &str, _: &Resources) -> Result<Self, WordError> {
        Err(WordError("later".into()))
    }
}
impl<G: Playable> Agent<G> for Engine<G> {
    fn choose(&mut self, _: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        Err(Fault("later".into()))
    }
}
