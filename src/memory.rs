//! The memory of the program: mimalloc.

#![expect(
    unsafe_code,
    reason = "an allocator is an unsafe trait; each function says why its call is sound"
)]

use std::alloc::{GlobalAlloc, Layout};

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc,
    mi_zalloc_aligned,
};

/// The allocator of the program.
///
/// It asks for an alignment only where a block does not have it anyway. Asked for one, mimalloc looks for an aligned block first,
/// and takes a larger block than necessary for most sizes above a kilobyte.
pub struct Memory;

/// The alignment of every block of at least this size, as C requires it of `malloc`.
const OF_EVERY_BLOCK: usize = 2 * size_of::<usize>();

fn is_aligned_anyway(size: usize, alignment: usize) -> bool {
    alignment <= OF_EVERY_BLOCK && alignment <= size
}

// SAFETY: every block comes from mimalloc, has at least the size and the alignment of its layout, and is its caller's alone.
unsafe impl GlobalAlloc for Memory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, alignment) = (layout.size(), layout.align());
        // SAFETY: any size may be asked for, and the alignment of a layout is a power of two.
        let block = unsafe {
            match is_aligned_anyway(size, alignment) {
                true => mi_malloc(size),
                false => mi_malloc_aligned(size, alignment),
            }
        };
        block.cast()
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, alignment) = (layout.size(), layout.align());
        // SAFETY: as in `alloc`.
        let block = unsafe {
            match is_aligned_anyway(size, alignment) {
                true => mi_zalloc(size),
                false => mi_zalloc_aligned(size, alignment),
            }
        };
        block.cast()
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the caller has the block from this allocator, and does not use it any more.
        unsafe { mi_free(block.cast()) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let alignment = layout.align();
        // SAFETY: the caller has the block from this allocator; the new block has the alignment of the old one.
        let block = unsafe {
            match is_aligned_anyway(size, alignment) {
                true => mi_realloc(block.cast(), size),
                false => mi_realloc_aligned(block.cast(), size, alignment),
            }
        };
        block.cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_alignment_of_its_layout_at_every_size() {
        for alignment in [1, 2, 4, 8, 16, 32, 64, 4096] {
            for size in (1..600).chain([1023, 1024, 1025, 3000, 70_000, 3_000_000]) {
                let layout = Layout::from_size_align(size, alignment).unwrap();
                let is_aligned =
                    |block: *mut u8| !block.is_null() && block.addr().is_multiple_of(alignment);
                // SAFETY: the blocks are freed with the layouts that they were asked for.
                unsafe {
                    let blocks = [Memory.alloc(layout), Memory.alloc_zeroed(layout)];
                    assert!(blocks.into_iter().all(is_aligned), "{layout:?}");
                    assert!((0..size).all(|at| *blocks[1].add(at) == 0), "{layout:?}");
                    let grown = Memory.realloc(blocks[0], layout, size + 5);
                    assert!(is_aligned(grown), "{layout:?}");
                    Memory.dealloc(grown, Layout::from_size_align(size + 5, alignment).unwrap());
                    Memory.dealloc(blocks[1], layout);
                }
            }
        }
    }
}
