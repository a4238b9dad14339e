//! What a check finds.

wyrmgate_base::named_enum! {
    /// How bad a finding is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Grade {
        Well = "ok",
        Warning = "warning",
        Failure = "failure",
    }
}

/// What a check has found, and what to do about it; nothing if all is well.
pub struct Diagnosis(pub Grade, pub String, pub String);

pub fn well(found: impl ToString) -> Diagnosis {
    Diagnosis(Grade::Well, found.to_string(), String::new())
}

pub fn warning(found: impl ToString, advice: impl ToString) -> Diagnosis {
    Diagnosis(Grade::Warning, found.to_string(), advice.to_string())
}

pub fn failure(found: impl ToString, advice: impl ToString) -> Diagnosis {
    Diagnosis(Grade::Failure, found.to_string(), advice.to_string())
}
