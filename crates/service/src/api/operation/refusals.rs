//! Why a request of the workbench fails, in the form of JSON-RPC.

use wyrmgate_authoring::desk::RequestRefusal;
use wyrmgate_runtime::queue::Unfinished;

const REQUEST_FAILED: i32 = -32803;

pub fn failed(unfinished: &Unfinished) -> RequestRefusal {
    refused(&unfinished.to_string())
}

pub fn refused(reason: &str) -> RequestRefusal {
    RequestRefusal {
        code: REQUEST_FAILED,
        message: reason.to_owned(),
    }
}
