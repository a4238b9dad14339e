//! Eight words processed in parallel, in one register of machines with AVX2. Used only on such machines.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_or_si256, _mm256_set1_epi32,
    _mm256_slli_epi32, _mm256_srli_epi32, _mm256_storeu_si256, _mm256_xor_si256,
};

use wyrmgate_engine::chacha::Lane;

#[derive(Clone, Copy)]
pub(crate) struct Eight(__m256i);

// SAFETY, of all blocks below: «the machine can»: functions of these types are called only from code for AVX2.
// They work on registers, and on arrays of as many words that may lie anywhere.
impl Eight {
    #[inline(always)]
    pub fn new(words: [u32; 8]) -> Eight {
        Eight(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    pub fn words(self) -> [u32; 8] {
        let mut words = [0; 8];
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }
}

impl Lane for Eight {
    #[inline(always)]
    fn all(word: u32) -> Eight {
        Eight(unsafe { _mm256_set1_epi32(word as i32) })
    }

    #[inline(always)]
    fn sum(self, other: Eight) -> Eight {
        Eight(unsafe { _mm256_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn mixed<const BITS: i32, const REST: i32>(self, other: Eight) -> Eight {
        Eight(unsafe {
            let both = _mm256_xor_si256(self.0, other.0);
            _mm256_or_si256(
                _mm256_slli_epi32::<BITS>(both),
                _mm256_srli_epi32::<REST>(both),
            )
        })
    }
}
