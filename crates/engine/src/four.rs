//! Four words processed in parallel, in one register where the machine has one.

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "instructions of the machine; see the invariant below"
)]
mod machine {
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_or_si128, _mm_set_epi32, _mm_shuffle_epi32,
        _mm_slli_epi32, _mm_srli_epi32, _mm_xor_si128,
    };

    #[derive(Clone, Copy)]
    pub struct Four(__m128i);

    // SAFETY, of all blocks below: «every x86-64 has SSE2», which is all that these instructions ask for; they work on
    // registers and touch no memory.
    impl Four {
        #[inline(always)]
        pub fn new([a, b, c, d]: [u32; 4]) -> Four {
            Four(unsafe { _mm_set_epi32(d as i32, c as i32, b as i32, a as i32) })
        }

        #[inline(always)]
        pub fn words(self) -> [u32; 4] {
            let words = unsafe {
                [
                    _mm_cvtsi128_si32(self.0),
                    _mm_cvtsi128_si32(_mm_shuffle_epi32::<0x55>(self.0)),
                    _mm_cvtsi128_si32(_mm_shuffle_epi32::<0xaa>(self.0)),
                    _mm_cvtsi128_si32(_mm_shuffle_epi32::<0xff>(self.0)),
                ]
            };
            words.map(|word| word as u32)
        }

        #[inline(always)]
        pub fn sum(self, other: Four) -> Four {
            Four(unsafe { _mm_add_epi32(self.0, other.0) })
        }

        /// Returns the exclusive or, rotated to the left by this many bits; `REST` is the remainder to 32.
        #[inline(always)]
        pub fn mixed<const BITS: i32, const REST: i32>(self, other: Four) -> Four {
            Four(unsafe {
                let both = _mm_xor_si128(self.0, other.0);
                _mm_or_si128(_mm_slli_epi32::<BITS>(both), _mm_srli_epi32::<REST>(both))
            })
        }

        /// Returns the words with the second one first and the first one last.
        #[inline(always)]
        pub fn left(self) -> Four {
            Four(unsafe { _mm_shuffle_epi32::<0x39>(self.0) })
        }

        #[inline(always)]
        pub fn across(self) -> Four {
            Four(unsafe { _mm_shuffle_epi32::<0x4e>(self.0) })
        }

        #[inline(always)]
        pub fn right(self) -> Four {
            Four(unsafe { _mm_shuffle_epi32::<0x93>(self.0) })
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod machine {
    #[derive(Clone, Copy)]
    pub struct Four([u32; 4]);

    impl Four {
        pub fn new(words: [u32; 4]) -> Four {
            Four(words)
        }

        pub fn words(self) -> [u32; 4] {
            self.0
        }

        #[inline(always)]
        pub fn sum(self, other: Four) -> Four {
            let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
            let sum = u32::wrapping_add;
            Four([sum(a, e), sum(b, f), sum(c, g), sum(d, h)])
        }

        /// Returns the exclusive or, rotated to the left.
        #[inline(always)]
        pub fn mixed<const BITS: i32, const REST: i32>(self, other: Four) -> Four {
            let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
            Four([a ^ e, b ^ f, c ^ g, d ^ h].map(|word| word.rotate_left(BITS as u32)))
        }

        /// Returns the words with the second one first and the first one last.
        #[inline(always)]
        pub fn left(self) -> Four {
            let [a, b, c, d] = self.0;
            Four([b, c, d, a])
        }

        #[inline(always)]
        pub fn across(self) -> Four {
            self.left().left()
        }

        #[inline(always)]
        pub fn right(self) -> Four {
            let [a, b, c, d] = self.0;
            Four([d, a, b, c])
        }
    }
}

pub use machine::Four;
