//! Eight or sixteen words processed in parallel, in one register of machines with AVX2 or AVX-512. Used only on such
//! machines.

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_add_epi32, _mm_loadu_si128, _mm_rol_epi32, _mm_set1_epi32,
    _mm_shuffle_epi32, _mm_storeu_si128, _mm_xor_si128, _mm256_add_epi32, _mm256_loadu_si256,
    _mm256_or_si256, _mm256_set1_epi32, _mm256_shuffle_epi32, _mm256_slli_epi32, _mm256_srli_epi32,
    _mm256_storeu_si256, _mm256_xor_si256, _mm512_add_epi32, _mm512_loadu_si512, _mm512_rol_epi32,
    _mm512_set1_epi32, _mm512_shuffle_epi32, _mm512_storeu_si512, _mm512_xor_si512,
};

use wyrmgate_engine::chacha::{Lane, Row};

/// Four words in a register, with the instructions of AVX-512.
#[derive(Clone, Copy)]
pub(crate) struct Quick(__m128i);

#[derive(Clone, Copy)]
pub(crate) struct Eight(__m256i);

#[derive(Clone, Copy)]
pub(crate) struct Sixteen(__m512i);

// SAFETY, of all blocks below: «the machine can»: functions of these types are called only from code for AVX2 or AVX-512.
// They work on registers, and on arrays of as many words that may lie anywhere.
impl Quick {
    #[inline(always)]
    pub fn new(words: [u32; 4]) -> Quick {
        Quick(unsafe { _mm_loadu_si128(words.as_ptr().cast()) })
    }

    #[inline(always)]
    pub fn words(self) -> [u32; 4] {
        let mut words = [0; 4];
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) };
        words
    }
}

impl Lane for Quick {
    #[inline(always)]
    fn all(word: u32) -> Quick {
        Quick(unsafe { _mm_set1_epi32(word as i32) })
    }

    #[inline(always)]
    fn sum(self, other: Quick) -> Quick {
        Quick(unsafe { _mm_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn mixed<const BITS: i32, const REST: i32>(self, other: Quick) -> Quick {
        Quick(unsafe { _mm_rol_epi32::<BITS>(_mm_xor_si128(self.0, other.0)) })
    }
}

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

impl Sixteen {
    #[inline(always)]
    pub fn new(words: [u32; 16]) -> Sixteen {
        Sixteen(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    pub fn words(self) -> [u32; 16] {
        let mut words = [0; 16];
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) };
        words
    }
}

impl Lane for Sixteen {
    #[inline(always)]
    fn all(word: u32) -> Sixteen {
        Sixteen(unsafe { _mm512_set1_epi32(word as i32) })
    }

    #[inline(always)]
    fn sum(self, other: Sixteen) -> Sixteen {
        Sixteen(unsafe { _mm512_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn mixed<const BITS: i32, const REST: i32>(self, other: Sixteen) -> Sixteen {
        Sixteen(unsafe { _mm512_rol_epi32::<BITS>(_mm512_xor_si512(self.0, other.0)) })
    }
}

impl Row for Eight {
    #[inline(always)]
    fn left(self) -> Eight {
        Eight(unsafe { _mm256_shuffle_epi32::<0x39>(self.0) })
    }

    #[inline(always)]
    fn across(self) -> Eight {
        Eight(unsafe { _mm256_shuffle_epi32::<0x4e>(self.0) })
    }

    #[inline(always)]
    fn right(self) -> Eight {
        Eight(unsafe { _mm256_shuffle_epi32::<0x93>(self.0) })
    }
}

impl Row for Sixteen {
    #[inline(always)]
    fn left(self) -> Sixteen {
        Sixteen(unsafe { _mm512_shuffle_epi32::<0x39>(self.0) })
    }

    #[inline(always)]
    fn across(self) -> Sixteen {
        Sixteen(unsafe { _mm512_shuffle_epi32::<0x4e>(self.0) })
    }

    #[inline(always)]
    fn right(self) -> Sixteen {
        Sixteen(unsafe { _mm512_shuffle_epi32::<0x93>(self.0) })
    }
}

impl Row for Quick {
    #[inline(always)]
    fn left(self) -> Quick {
        Quick(unsafe { _mm_shuffle_epi32::<0x39>(self.0) })
    }

    #[inline(always)]
    fn across(self) -> Quick {
        Quick(unsafe { _mm_shuffle_epi32::<0x4e>(self.0) })
    }

    #[inline(always)]
    fn right(self) -> Quick {
        Quick(unsafe { _mm_shuffle_epi32::<0x93>(self.0) })
    }
}
