//! The n-th bit that is set.

/// Bits and a number, less than how many are set; answers which one it is.
pub(super) type Select = fn(u64, u32) -> u32;

/// The way that suits this machine.
#[cfg(target_arch = "x86_64")]
pub(super) fn fastest() -> Select {
    if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
        // SAFETY: «the machine can»: it has just said so.
        return |bits, number| unsafe { with_deposit(bits, number) };
    }
    one_by_one
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn fastest() -> Select {
    one_by_one
}

fn one_by_one(bits: u64, number: u32) -> u32 {
    let left = (0..number).fold(bits, |left, _| left & left.wrapping_sub(1));
    left.trailing_zeros()
}

/// One bit is put where the bit of that number is.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn with_deposit(bits: u64, number: u32) -> u32 {
    use std::arch::x86_64::_pdep_u64;
    _pdep_u64(1u64.wrapping_shl(number), bits).trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same_bit() {
        for bits in [1, 0b1011_0100, u64::MAX, 1 << 63 | 1, 0x8421_0000_0000_1248] {
            for number in 0..bits.count_ones() {
                assert_eq!(fastest()(bits, number), one_by_one(bits, number));
            }
        }
    }
}
