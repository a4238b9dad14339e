//! Results of masks that are cached while nothing changes that they read.

use wyrmgate_program::Bits;

/// Masks that are cached while the state does not change.
#[derive(Default)]
pub struct KeptMasks {
    answers: Vec<CachedMask>,
}

/// A cached result, with the change count and the values of temps for which it is valid.
#[derive(Clone, Copy)]
pub(super) struct CachedMask {
    pub now: u64,
    pub of: [i32; 2],
    pub bits: Bits,
}

impl KeptMasks {
    #[inline]
    pub(super) fn get(&self, slot: u16, now: u64, of: [i32; 2]) -> Option<Bits> {
        let answer = self.answers.get(usize::from(slot))?;
        (answer.now == now && answer.of == of).then_some(answer.bits)
    }

    pub(super) fn keep(&mut self, slot: u16, answer: CachedMask) {
        let slot = usize::from(slot);
        if slot >= self.answers.len() {
            let nothing = CachedMask {
                // Sentinel: never equal to a change count.
                now: u64::MAX,
                of: [0; 2],
                bits: 0,
            };
            self.answers.resize(slot + 1, nothing);
        }
        if let Some(place) = self.answers.get_mut(slot) {
            *place = answer;
        }
    }
}
