//! Documents and errors as Python objects.

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::{Map, Value};
use wyrmgate_spaces::SpaceError;

create_exception!(
    wyrmgate,
    Broken,
    PyValueError,
    "Rules with errors: the message, and the diagnostics."
);
create_exception!(
    wyrmgate,
    Stopped,
    PyRuntimeError,
    "A game that stopped before its end."
);

/// Returns a document as Python objects.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, real) => real.unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(members) => {
            let members = members.iter().map(|member| to_python(py, member));
            PyList::new(py, members.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, member) in members {
                dict.set_item(name, to_python(py, member)?)?;
            }
            dict.into_any()
        }
    })
}

/// Returns anything that can be a document as Python objects.
pub fn document<'py>(
    py: Python<'py>,
    value: &impl serde::Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let value =
        serde_json::to_value(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    to_python(py, &value)
}

/// Returns a dictionary of options as a document.
pub fn options(given: Option<&Bound<'_, PyDict>>) -> PyResult<Map<String, Value>> {
    let mut options = Map::new();
    for (name, value) in given.into_iter().flatten() {
        let value = if let Ok(truth) = value.cast::<pyo3::types::PyBool>() {
            Value::Bool(truth.is_true())
        } else if let Ok(number) = value.extract::<i64>() {
            number.into()
        } else {
            Value::String(value.extract()?)
        };
        options.insert(name.extract()?, value);
    }
    Ok(options)
}

pub fn stopped(error: impl Into<wyrmgate_view::Stopped>) -> PyErr {
    let stopped = error.into();
    let advice = stopped
        .help
        .map_or_else(String::new, |help| format!("; {help}"));
    Stopped::new_err(format!("{}: {stopped}{advice}", stopped.code))
}

pub fn of_space(error: SpaceError) -> PyErr {
    match error {
        SpaceError::Fault(fault) => stopped(fault),
        SpaceError::NoNumber(error) => Stopped::new_err(error.to_string()),
    }
}

/// Returns a number of an action or a choice.
pub fn ordinal(name: &str, value: i64) -> PyResult<u32> {
    u32::try_from(value)
        .map_err(|_| value_error(format!("`{name}` is {value}; it counts from 0 below 2^32")))
}

pub fn no_seat(seat: impl std::fmt::Display) -> PyErr {
    value_error(format!("there is no seat {seat}; seats count from 0"))
}

pub fn value_error(message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}
