//! Machine code, or what stands in for it in a build without it.

#[cfg(not(feature = "native"))]
pub(crate) use crate::absent::{
    AbsentChoices as NotedChoices, AbsentCode as Native, AbsentTranslation as Translation, is_on,
};
#[cfg(feature = "native")]
pub(crate) use wyrmgate_native::{Native, NotedChoices, Translation, is_on};
