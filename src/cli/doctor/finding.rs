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
pub struct Diagnosis {
    pub grade: Grade,
    pub found: String,
    pub advice: String,
}

pub fn well(found: impl ToString) -> Diagnosis {
    of(Grade::Well, found, "")
}

pub fn warning(found: impl ToString, advice: impl ToString) -> Diagnosis {
    of(Grade::Warning, found, advice)
}

pub fn failure(found: impl ToString, advice: impl ToString) -> Diagnosis {
    of(Grade::Failure, found, advice)
}

fn of(grade: Grade, found: impl ToString, advice: impl ToString) -> Diagnosis {
    let (found, advice) = (found.to_string(), advice.to_string());
    Diagnosis {
        grade,
        found,
        advice,
    }
}
