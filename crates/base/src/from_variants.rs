//! Conversions into an enum of reasons, for `?`.

/// Implements `From` for what variants of an enum hold, or for what converts to it.
///
/// `from_variants!(End { Stop: Stop, io::Error; Replay: ReplayError })` makes `End::Stop` of both types before the `;`.
#[macro_export]
macro_rules! from_variants {
    ($of:ident { $($variant:ident: $($from:ty),+);+ $(;)? }) => { $($(
        impl From<$from> for $of {
            fn from(value: $from) -> $of {
                $of::$variant(value.into())
            }
        }
    )+)+ };
}
