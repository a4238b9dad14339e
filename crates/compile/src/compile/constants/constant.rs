//! Constants: translates an expression like any other, evaluates it at once and discards the translation.

use std::sync::LazyLock;

use crate::compile::compiler::Compiler;
use crate::compile::constants::eval::{Evaluator, Keys, Unknown};
use crate::compile::scope::Binding;
use crate::compile::terms::rows::{self, Rows};
use crate::compile::terms::value::Value;
use crate::names::constant::Constant;
use crate::names::translation::Translations;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::Expr;
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::{EnumId, ExprId, Program, SetId, Temp, Type};

/// Constants know nothing of effects and queries.
static NO_RULES: LazyLock<Definition> = LazyLock::new(Definition::default);

impl Evaluator<'_> {
    /// Returns the value in each of several scopes with the same keys, or the reason why there is none; `None` after a
    /// diagnostic.
    pub(super) fn translated(
        &mut self,
        expr: &Expr,
        scopes: &[Keys],
        wanted: Option<Type>,
    ) -> Option<Vec<Result<Constant, Unknown>>> {
        let before = self.b.mark();
        let mut compiler = Compiler::new(
            &NO_RULES,
            self.world,
            self.b,
            Translations::default(),
            self.report,
        );
        compiler.rows = Some(Vec::new());
        let keys = scopes.first().map_or(&[][..], Vec::as_slice);
        let mut temps: Vec<Temp> = Vec::new();
        for (at, (name, _)) in keys.iter().enumerate() {
            let of = type_of_key(&mut compiler, scopes, at, expr.span);
            let ty = Ty::one(of);
            let temp = compiler.scope.temp(ty);
            compiler.scope.bind(name, Binding::Temp(temp, ty));
            temps.push(temp);
        }
        let value = compiler.expr(expr, wanted);
        let value = value.map(|value| compiler.constant_form(value, expr.span));
        let rows = compiler.rows.take().unwrap_or_default();
        drop(compiler);
        let program = &self.b.program;
        let values = value.map(|value| {
            let values = (0..).zip(scopes).map(|(number, keys)| {
                let mut known = Known::default();
                for (temp, (_, constant)) in temps.iter().zip(keys) {
                    let value = match constant {
                        Constant::One(_, value) => *value,
                        Constant::List(..) => number,
                    };
                    known = known.and(*temp, value);
                }
                evaluated(program, &rows, value.clone(), known)
            });
            values.collect()
        });
        self.b.forget_since(before);
        values
    }
}

/// Returns the type of a key. If it is a list, those of all scopes are a list of lists, and each scope has its row.
fn type_of_key(
    compiler: &mut Compiler<'_>,
    scopes: &[Keys],
    at: usize,
    span: Span,
) -> Option<Type> {
    let all = scopes.iter().filter_map(|keys| Some(&keys.get(at)?.1));
    let of = all.clone().find_map(Constant::of);
    if !all.clone().any(|constant| constant.ty().list) {
        return of;
    }
    let lists = Constant::List(of, all.cloned().collect());
    compiler.rows(&lists, span)?.ty().of
}

/// What is evaluated for a constant.
#[derive(Debug, Clone)]
enum ConstantForm {
    Value(Value),
    /// The amounts of a bundle.
    Bundle(EnumId, Vec<ExprId>),
    /// The lists of each amount of several bundles.
    Bundles(EnumId, Vec<SetId>),
}

impl ConstantForm {
    /// Returns the list of the amounts of a bundle, or the list of such lists.
    fn bundles(&self, program: &Program, known: &mut Known) -> Option<Constant> {
        match self {
            ConstantForm::Bundle(of, amounts) => {
                let amounts = amounts.iter().map(|id| pure::value(program, *id, known));
                let amounts: Vec<i32> = amounts.collect::<Option<_>>()?;
                Some(Constant::list(Some(Type::Amounts(*of)), amounts))
            }
            ConstantForm::Bundles(of, lists) => {
                let columns = lists.iter().map(|id| pure::list(program, *id, known));
                let columns: Vec<Vec<i32>> = columns.collect::<Option<_>>()?;
                let of = Some(Type::Amounts(*of));
                let bundle = |number: usize| {
                    let amounts = columns.iter().filter_map(|column| column.get(number));
                    Constant::list(of, amounts.copied())
                };
                let count = columns.first().map_or(0, Vec::len);
                Some(Constant::List(of, (0..count).map(bundle).collect()))
            }
            ConstantForm::Value(_) => None,
        }
    }
}

impl Compiler<'_> {
    /// Returns what of a value is evaluated.
    fn constant_form(&mut self, value: Value, span: Span) -> ConstantForm {
        let element = value.ty().element();
        let Some(ty) = self.bundle_type(element) else {
            return ConstantForm::Value(value);
        };
        if !value.ty().list {
            return ConstantForm::Bundle(ty.values, self.amounts_in(value, ty));
        }
        match self.list_columns(value, ty.record, span) {
            Some(lists) => ConstantForm::Bundles(ty.values, lists),
            None => ConstantForm::Value(value),
        }
    }
}

fn evaluated(
    program: &Program,
    rows: &[Rows],
    form: ConstantForm,
    mut known: Known,
) -> Result<Constant, Unknown> {
    let found = match form {
        ConstantForm::Bundle(..) | ConstantForm::Bundles(..) => form.bundles(program, &mut known),
        ConstantForm::Value(Value::One(id, of)) => {
            let found = pure::value(program, id, &mut known);
            found.map(|value| rows::constant(rows, of, value))
        }
        ConstantForm::Value(Value::List(id, of)) => {
            let found = pure::list(program, id, &mut known);
            found.map(|values| rows::constant_list(rows, of, values))
        }
        // Other records are only in variables.
        ConstantForm::Value(Value::Record(..)) => None,
    };
    found.ok_or_else(|| {
        let stopped = known.stopped?;
        let place = match stopped {
            pure::Stopped::Overflow(id) => program.span_of(id),
            pure::Stopped::TooMuch => None,
        };
        Some((stopped, place))
    })
}
