//! Finds the n-th bit that is set.

/// The instructions with which bits are found on this machine.
#[derive(Clone, Copy)]
pub(crate) struct Select {
    /// Whether the machine has instructions to deposit a bit at the n-th set position, and to count bits.
    has_deposit: bool,
}

impl Select {
    /// Returns the best way for this machine.
    #[cfg(target_arch = "x86_64")]
    pub fn fastest() -> Select {
        Select {
            has_deposit: is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt"),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub fn fastest() -> Select {
        Select { has_deposit: false }
    }

    /// Returns the position of the set bit with `number` set ones below it: at least 64 if there are not so many.
    #[inline(always)]
    pub fn nth(self, bits: u64, number: u32) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if self.has_deposit {
            return machine::nth(bits, number);
        }
        one_by_one(bits, number)
    }

    /// Counts set bits.
    #[inline(always)]
    pub fn count(self, bits: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.has_deposit {
            return machine::count(bits);
        }
        u64::from(bits.count_ones())
    }
}

#[cold]
#[inline(never)]
fn one_by_one(bits: u64, number: u32) -> u32 {
    let left = (0..number).fold(bits, |left, _| left & left.wrapping_sub(1));
    left.trailing_zeros()
}

/// Single instructions, written inline: a function for machines that support them would have to be called.
#[cfg(target_arch = "x86_64")]
mod machine {
    use std::arch::asm;

    #[inline(always)]
    pub fn nth(bits: u64, number: u32) -> u32 {
        let one = 1u64.wrapping_shl(number);
        let found: u64;
        // SAFETY: «the machine can»: `Select` calls this only if the machine has the instruction. Only registers change.
        unsafe {
            asm!(
                "pdep {found}, {one}, {bits}",
                found = lateout(reg) found,
                one = in(reg) one,
                bits = in(reg) bits,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        found.trailing_zeros()
    }

    #[inline(always)]
    pub fn count(bits: u64) -> u64 {
        let count: u64;
        // SAFETY: as above; the assembly declares that it changes the flags.
        unsafe {
            asm!(
                "popcnt {count}, {bits}",
                count = lateout(reg) count,
                bits = in(reg) bits,
                options(pure, nomem, nostack)
            );
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same_bit() {
        let fastest = Select::fastest();
        for bits in [
            0,
            1,
            0b1011_0100,
            u64::MAX,
            1 << 63 | 1,
            0x8421_0000_0000_1248,
        ] {
            assert_eq!(fastest.count(bits), u64::from(bits.count_ones()));
            for number in 0..bits.count_ones() {
                assert_eq!(fastest.nth(bits, number), one_by_one(bits, number));
            }
        }
    }
}
