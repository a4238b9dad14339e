//! Enums whose variants have names for people and files.

/// Declares an enum with one row for each variant and its name. `ALL` lists the variants in order.
///
/// ```
/// wyrmgate_base::named_enum! {
///     /// A direction.
///     #[derive(Debug, Clone, Copy, PartialEq)]
///     pub enum Way {
///         Up = "up",
///         /// Towards the south.
///         Down = "down",
///     }
/// }
/// assert_eq!(Way::ALL.map(Way::name), ["up", "down"]);
/// ```
#[macro_export]
macro_rules! named_enum {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident { $($(#[$of:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        $vis enum $enum {
            $($(#[$of])* $variant,)*
        }

        #[allow(dead_code, reason = "some enums need only one of the two")]
        impl $enum {
            /// Lists all variants.
            pub const ALL: [$enum; [$($name),*].len()] = [$($enum::$variant),*];

            /// Returns the name, which is stable.
            pub const fn name(self) -> &'static str {
                match self {
                    $($enum::$variant => $name,)*
                }
            }
        }
    };
}
