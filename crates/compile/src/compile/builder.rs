//! Builds the arenas of a program: expressions, lists, code. Knows no names and no types.

use hashbrown::HashMap;

use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::*;

/// The target of a jump that is not known yet.
pub const LATER: Address = Address::MAX;

/// The program under construction.
#[derive(Default)]
pub struct Builder {
    pub program: Program,
    /// The number of expressions that were translated, however little they became.
    pub effort: usize,
    /// Span and clauses of the operations emitted next.
    at: Span,
    cites: Vec<ClauseId>,
    /// Finished tables, so that equal ones are shared.
    tables: HashMap<Vec<i32>, TableId>,
}

/// How large the arenas of expressions were.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    exprs: usize,
    sets: usize,
    spans: usize,
    tables: usize,
    reveals: usize,
}

impl Builder {
    pub fn mark(&self) -> Size {
        let program = &self.program;
        Size {
            exprs: program.exprs.len(),
            sets: program.sets.len(),
            spans: program.origins.expr_spans.len(),
            tables: program.tables.len(),
            reveals: program.origins.reveals.len(),
        }
    }

    /// Forgets the expressions, lists and tables that were made since.
    pub fn forget_since(&mut self, size: Size) {
        let program = &mut self.program;
        program.exprs.truncate(size.exprs);
        program.sets.truncate(size.sets);
        program.origins.expr_spans.truncate(size.spans);
        program.origins.reveals.truncate(size.reveals);
        program
            .origins
            .expr_cites
            .retain(|(id, _)| (*id as usize) < size.exprs);
        program
            .origins
            .set_cites
            .retain(|(id, _)| (*id as usize) < size.sets);
        for forgotten in program
            .tables
            .drain(size.tables.min(program.tables.len())..)
        {
            let known = self.tables.get(&forgotten);
            if known.is_some_and(|id| *id as usize >= size.tables) {
                self.tables.remove(&forgotten);
            }
        }
    }

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.program.exprs.push(expr);
        self.program.exprs.len() as ExprId - 1
    }

    /// Records that this condition implements these clauses.
    pub fn cite_expr(&mut self, id: ExprId, clauses: Vec<ClauseId>) {
        cite(&mut self.program.origins.expr_cites, id, clauses);
    }

    pub fn cite_set(&mut self, id: SetId, clauses: Vec<ClauseId>) {
        cite(&mut self.program.origins.set_cites, id, clauses);
    }

    /// Adds an expression that can overflow, with its location.
    pub fn checked_expr(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = self.expr(expr);
        self.program.origins.expr_spans.push((id, span));
        id
    }

    /// Returns the number of a `revealed(…)` at this place.
    pub fn revealed(&mut self, span: Span) -> RevealId {
        let reveals = &mut self.program.origins.reveals;
        let known = reveals.iter().position(|reveal| reveal.span == span);
        let number = known.unwrap_or_else(|| {
            reveals.push(RevealInfo { span });
            reveals.len() - 1
        });
        number as RevealId
    }

    /// Returns the number of expressions and lists.
    pub fn size(&self) -> usize {
        self.program.exprs.len() + self.program.sets.len()
    }

    pub fn constant(&mut self, value: i32) -> ExprId {
        self.expr(Expr::Const(value))
    }

    pub fn local(&mut self, slot: Local) -> ExprId {
        self.expr(Expr::Local(slot))
    }

    pub fn temp(&mut self, temp: Temp) -> ExprId {
        self.expr(Expr::Temp(temp))
    }

    /// Adds an operation that cannot overflow; see [`Builder::checked_expr`] for others.
    pub fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, left, right))
    }

    /// Adds an operation on an expression and a constant.
    pub fn compare(&mut self, op: Binary, expr: ExprId, with: i32) -> ExprId {
        let with = self.constant(with);
        self.binary(op, expr, with)
    }

    pub fn set_word(&mut self, offset: u32, value: ExprId) {
        self.emit(Op::SetWord { offset, value });
    }

    pub fn get(&self, id: ExprId) -> Expr {
        self.program
            .exprs
            .get(id as usize)
            .copied()
            .unwrap_or(Expr::Const(NONE))
    }

    pub fn get_set(&self, id: SetId) -> Set {
        self.program
            .sets
            .get(id as usize)
            .copied()
            .unwrap_or(Set::Empty)
    }

    pub fn set(&mut self, set: Set) -> SetId {
        self.program.sets.push(set);
        self.program.sets.len() as SetId - 1
    }

    /// Adds the list of those members that fulfill a condition.
    pub fn filtered(&mut self, of: SetId, temp: Temp, condition: ExprId) -> SetId {
        self.set(Set::Where(MemberTest {
            of,
            temp,
            condition,
        }))
    }

    /// Adds whether a member fulfills a condition.
    pub fn some(&mut self, of: SetId, temp: Temp, condition: ExprId) -> ExprId {
        self.expr(Expr::Some(MemberTest {
            of,
            temp,
            condition,
        }))
    }

    /// Adds a look-up in a table by an index from 0; NONE for every other index.
    pub fn look_up(&mut self, table: TableId, index: ExprId) -> ExprId {
        self.expr(Expr::Table(TableLookUp {
            table,
            low: 0,
            index,
            default: NONE,
        }))
    }

    /// Copies expressions to consecutive ids; returns the first.
    pub fn row(&mut self, exprs: &[ExprId]) -> ExprId {
        if let Some(&first) = exprs.first()
            && exprs.iter().zip(first..).all(|(id, wanted)| *id == wanted)
        {
            return first;
        }
        let first = self.program.exprs.len() as ExprId;
        for &id in exprs {
            let expr = self.get(id);
            match self.program.span_of(id) {
                Some(span) => self.checked_expr(expr, span),
                None => self.expr(expr),
            };
        }
        first
    }

    /// Adds a list of these members.
    pub fn list(&mut self, members: &[ExprId]) -> SetId {
        let (first, count) = (self.row(members), members.len() as u16);
        self.set(Set::List { first, count })
    }

    pub fn table(&mut self, values: Vec<i32>) -> TableId {
        if let Some(known) = self.tables.get(&values) {
            return *known;
        }
        let id = self.growing_table(values.clone());
        self.tables.insert(values, id);
        id
    }

    /// Adds the tables of words, in the order stated.
    pub fn words<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> WordTables {
        let (mut starts, mut letters) = (vec![0], Vec::new());
        for word in words {
            letters.extend(word.chars().map(|c| c as i32));
            starts.push(letters.len() as i32);
        }
        WordTables {
            starts: self.table(starts),
            letters: self.table(letters),
        }
    }

    /// Adds a table that grows later and is therefore never shared.
    pub fn growing_table(&mut self, values: Vec<i32>) -> TableId {
        self.program.tables.push(values);
        self.program.tables.len() as TableId - 1
    }

    pub fn args(&mut self, args: Vec<Arg>) -> ArgsId {
        self.program.code.args.push(args);
        self.program.code.args.len() as ArgsId - 1
    }

    pub fn text(&mut self, text: TextInfo) -> TextId {
        self.program.prose.texts_with_holes.push(text);
        self.program.prose.texts_with_holes.len() as TextId - 1
    }

    /// Sets the location and clauses of the operations that follow.
    pub fn at(&mut self, span: Span, cites: Vec<ClauseId>) {
        self.at = span;
        self.cites = cites;
    }

    /// Returns the location of the operations that follow.
    pub fn location(&self) -> Span {
        self.at
    }

    /// Notes the names that are in scope from here on.
    pub fn note_names(&mut self, names: Vec<NamedSlot>) {
        let here = self.here();
        let noted = &mut self.program.code.names_in_scope;
        if noted.last().is_some_and(|(at, _)| *at == here) {
            noted.pop();
        }
        if noted.last().is_none_or(|(_, last)| *last != names) {
            noted.push((here, names));
        }
    }

    /// Returns the code from this address on.
    pub fn code_since(&self, from: Address) -> &[Op] {
        self.program
            .code
            .ops
            .get(from as usize..)
            .unwrap_or_default()
    }

    pub fn here(&self) -> Address {
        self.program.code.ops.len() as Address
    }

    /// Adds an operation; returns its address. The clauses of a statement belong to its first operation.
    pub fn emit(&mut self, op: Op) -> Address {
        self.program.code.ops.push(op);
        self.program.code.spans.push(self.at);
        self.program
            .code
            .cites
            .push(std::mem::take(&mut self.cites));
        self.here() - 1
    }

    /// Sets the target of a jump emitted with [`LATER`] to the next operation.
    pub fn land(&mut self, jump: Address) {
        let here = self.here();
        if let Some(
            Op::Jump(to) | Op::JumpUnless(_, to) | Op::EachNext(LoopStep { exit: to, .. }),
        ) = self.program.code.ops.get_mut(jump as usize)
        {
            *to = here;
        }
    }

    pub fn land_all(&mut self, jumps: Vec<Address>) {
        for jump in jumps {
            self.land(jump);
        }
    }

    /// Emits `a and b`, folding constants.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.get(a), self.get(b)) {
            (Expr::Const(0), _) | (_, Expr::Const(0)) => self.constant(0),
            (Expr::Const(_), _) => b,
            (_, Expr::Const(_)) => a,
            _ => self.expr(Expr::And(a, b)),
        }
    }

    /// Emits the conjunction of those of the two conditions that there are.
    pub fn both(&mut self, one: Option<ExprId>, other: Option<ExprId>) -> Option<ExprId> {
        match (one, other) {
            (Some(one), Some(other)) => Some(self.and(one, other)),
            (one, other) => one.or(other),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub fn not(&mut self, a: ExprId) -> ExprId {
        match self.get(a) {
            Expr::Const(value) => self.constant((value == 0) as i32),
            Expr::Not(inner) => inner,
            _ => self.expr(Expr::Not(a)),
        }
    }
}

/// Records clauses in a list sorted by the citing expression.
fn cite(cites: &mut Vec<(u32, Vec<ClauseId>)>, id: u32, clauses: Vec<ClauseId>) {
    match cites.binary_search_by_key(&id, |(at, _)| *at) {
        Ok(at) => cites
            .get_mut(at)
            .into_iter()
            .for_each(|(_, known)| known.extend(&clauses)),
        Err(at) => cites.insert(at, (id, clauses)),
    }
}
