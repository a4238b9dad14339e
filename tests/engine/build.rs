//! Programs built by hand: what the compiler would make of a very small game.

use wyrmgate::diagnostic::Span;
use wyrmgate::engine::{
    Choice, Collect, Event, Fault, Pending, Seeded, Silent, State, StepError, pending, start, step,
};
use wyrmgate::program::*;

pub struct Build {
    pub program: Program,
    slots: u16,
}

impl Build {
    /// Creates a game for this number of seats with the variables of every game, and the box.
    pub fn new(seats: usize) -> Build {
        let mut build = Build {
            program: Program {
                identity: Identity {
                    game: "small".into(),
                    bound: 100,
                    ..Identity::default()
                },
                seats,
                ..Program::default()
            },
            slots: 0,
        };
        build.phases();
        build.zone("box", See::Nothing, None);
        build.built_in("active", Type::Seat, 1, NONE);
        build.built_in("round", Type::Int, 1, 0);
        build.built_in("turn", Type::Int, 1, 0);
        build.built_in("phase", Type::Enum(0), 1, NONE);
        build.built_in("score", Type::Int, seats as u32, 0);
        build
    }

    fn phases(&mut self) {
        self.program.enums.push(EnumInfo {
            name: "phase".into(),
            values: vec!["bidding".into(), "playing".into()],
            titles: Vec::new(),
        });
    }

    fn built_in(&mut self, name: &str, of: Type, len: u32, start: i32) {
        let index = (len > 1).then_some(Type::Seat);
        self.var_of(name, of, index, len, start, See::All);
    }

    /// A variable; answers its first word.
    pub fn var_of(
        &mut self,
        name: &str,
        of: Type,
        index: Option<Type>,
        len: u32,
        start: i32,
        see: See,
    ) -> u32 {
        let offset = self.program.room.var_words as u32;
        self.program.room.var_words += len as usize;
        self.program.vars.push(VarInfo {
            role: VarRole::Values,
            name: name.into(),
            title: name.into(),
            of,
            index,
            low: 0,
            offset,
            len,
            start,
            starts: Vec::new(),
            see,
            lasts: Lasts::Game,
            internal: false,
            part: None,
        });
        offset
    }

    /// One number, seen by all.
    pub fn var(&mut self, name: &str) -> u32 {
        self.var_of(name, Type::Int, None, 1, 0, See::All)
    }

    pub fn zone(&mut self, name: &str, see: See, owner: Option<u8>) -> ZoneId {
        let zone = self.program.zones.len() as ZoneId;
        let family = self.program.families.len() as FamilyId;
        self.program.families.push(FamilyInfo {
            any_order: false,
            name: name.into(),
            title: Localized::default(),
            keys: Vec::new(),
            fields: Vec::new(),
            first: zone,
            count: 1,
            places: None,
            open_grid: false,
            grid: None,
            track: None,
        });
        self.program.zones.push(ZoneInfo {
            family,
            naming: ProgramName::new(name, Localized::default()),
            inside: None,
            owner,
            see,
            capacity: None,
        });
        zone
    }

    /// Cards `name-1`, `name-2` … in a zone: `rank` is their number, `back` (1 for odd ones) is on their backs.
    pub fn cards(&mut self, name: &str, count: u32, zone: ZoneId) -> ComponentId {
        let first = self.program.components.len() as u32;
        let ranks = self.column(first, (1..=count as i32).collect());
        let backs = self.column(first, (1..=count as i32).map(|rank| rank % 2).collect());
        let field = |name: &str, table, on_back| FieldInfo {
            name: name.into(),
            of: Type::Int,
            at: FieldPlace::Constant(table),
            on_back,
        };
        let fields = vec![field("rank", ranks, false), field("back", backs, true)];
        self.kind(name, count, zone, fields, None)
    }

    /// A table by component number.
    fn column(&mut self, first: u32, values: Vec<i32>) -> TableId {
        let mut column = vec![NONE; first as usize];
        column.extend(values);
        self.table(column)
    }

    /// Dice with six sides.
    pub fn dice(&mut self, count: u32, zone: ZoneId) -> ComponentId {
        let first = self.program.components.len() as u32;
        let offset = self.program.room.var_words as u32;
        self.program.room.var_words += count as usize;
        let face = FieldInfo {
            name: "face".into(),
            of: Type::Int,
            at: FieldPlace::Changing { offset, first },
            on_back: false,
        };
        let die = DieInfo {
            field: 0,
            faces: (1..=6).collect(),
        };
        self.kind("die", count, zone, vec![face], Some(die))
    }

    fn kind(
        &mut self,
        name: &str,
        count: u32,
        zone: ZoneId,
        fields: Vec<FieldInfo>,
        die: Option<DieInfo>,
    ) -> ComponentId {
        let first = self.program.components.len() as u32;
        let kind = self.program.kinds.len() as KindId;
        self.program.kinds.push(KindInfo {
            alike: false,
            name: name.into(),
            title: Localized::default(),
            text: Localized::default(),
            family: None,
            first,
            count,
            fields,
            die,
            has_copies: false,
        });
        for number in 1..=count {
            self.program.components.push(ComponentInfo {
                kind,
                naming: ProgramName::new(
                    format!("{name}-{number}"),
                    number.to_string().as_str().into(),
                ),
                holds: None,
                starts_in: zone,
            });
        }
        first as ComponentId
    }

    pub fn table(&mut self, values: Vec<i32>) -> TableId {
        self.program.tables.push(values);
        self.program.tables.len() as TableId - 1
    }

    // ---- expressions

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.program.exprs.push(expr);
        self.program.exprs.len() as ExprId - 1
    }

    pub fn int(&mut self, value: i32) -> ExprId {
        self.expr(Expr::Const(value))
    }

    pub fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, left, right))
    }

    pub fn set(&mut self, set: Set) -> SetId {
        self.program.sets.push(set);
        self.program.sets.len() as SetId - 1
    }

    pub fn range(&mut self, low: i32, high: i32) -> SetId {
        let (low, high) = (self.int(low), self.int(high));
        self.set(Set::Range(low, high))
    }

    pub fn zone_set(&mut self, zone: ZoneId) -> SetId {
        let zone = self.int(i32::from(zone));
        self.set(Set::Zone(zone))
    }

    pub fn query(&mut self, name: &str, params: u16, temps: u16, body: QueryBody) -> QueryId {
        let query = self.program.queries.len() as QueryId;
        self.program.queries.push(QueryInfo {
            name: name.into(),
            params,
            temps,
            body,
            deepest: 0,
            number: query,
        });
        self.program.origins.query_names.insert(name.into(), query);
        query
    }

    // ---- code

    pub fn op(&mut self, op: Op) -> Address {
        self.program.code.ops.push(op);
        let at = self.program.code.ops.len();
        self.program.code.spans.push(Span {
            start: at as u32,
            end: at as u32 + 1,
            ..Span::default()
        });
        self.program.code.cites.push(Vec::new());
        at as Address - 1
    }

    pub fn here(&self) -> Address {
        self.program.code.ops.len() as Address
    }

    pub fn slot(&mut self) -> Local {
        self.slots(1)
    }

    pub fn slots(&mut self, count: u16) -> Local {
        self.slots += count;
        self.slots - count
    }

    pub fn args(&mut self, args: Vec<Arg>) -> ArgsId {
        self.program.code.args.push(args);
        self.program.code.args.len() as ArgsId - 1
    }

    /// An effect that begins at `entry`, with the slots taken since the last one.
    pub fn effect(&mut self, name: &str, entry: Address) -> EffectId {
        let effect = self.program.effects.len() as EffectId;
        self.program.effects.push(EffectInfo {
            name: name.into(),
            entry,
            slots: std::mem::take(&mut self.slots),
            ..EffectInfo::default()
        });
        self.program
            .origins
            .effect_names
            .insert(name.into(), effect);
        effect
    }

    /// The game: what was emitted from `entry` on.
    pub fn play(mut self, entry: Address) -> Program {
        self.program.code.play = self.effect("play", entry);
        self.program
    }

    // ---- decisions

    /// A decision of a seat with these options; nobody can choose: `otherwise`.
    pub fn site(&mut self, seat: i32, options: Vec<SiteOption>, otherwise: Address) -> SiteId {
        let who = self.int(seat);
        self.program.sites.push(Site {
            name: String::new(),
            who,
            first: None,
            chosen: None,
            always: false,
            seat_temp: 0,
            prompt: None,
            options,
            otherwise,
            is_expected: false,
            may_decline: false,
            is_ask: false,
            temps: 8,
            span: Span::default(),
            cites: Vec::new(),
        });
        self.program.sites.len() as SiteId - 1
    }
}

pub fn option(name: &str, binders: Vec<BinderInfo>, target: Address) -> SiteOption {
    SiteOption {
        name: name.into(),
        title: name.into(),
        label: None,
        forms: Vec::new(),
        conditions: Vec::new(),
        binders,
        default: None,
        target,
        cites: Vec::new(),
        span: Span::default(),
    }
}

/// A name that takes temps from `temp` on, and slots from `local` on.
pub fn binder(of: Type, domain: SetId, count: BinderSize, temp: Temp, local: Local) -> BinderInfo {
    BinderInfo {
        alike: false,
        path: None,
        is_rotation: false,
        mask: None,
        repeats: false,
        name: "x".into(),
        of,
        domain,
        filters: Vec::new(),
        together: Vec::new(),
        temp,
        local,
        count,
        keys: Vec::new(),
    }
}

pub fn condition(test: ExprId, cites: Vec<ClauseId>) -> Condition {
    Condition {
        test,
        cites,
        span: Span::default(),
    }
}

// ---- playing

pub const SEED: [u8; 32] = [42; 32];

pub fn begin(program: &Program) -> State {
    start(program, SEED, &mut Seeded, &mut Silent).unwrap()
}

/// The fault a game begins with.
pub fn fault(program: &Program) -> Fault {
    start(program, SEED, &mut Seeded, &mut Silent).unwrap_err()
}

pub fn begin_with_events(program: &Program) -> (State, Vec<Event>) {
    let mut events = Collect::default();
    let state = start(program, SEED, &mut Seeded, &mut events).unwrap();
    (state, events.0)
}

pub fn owed(program: &Program, state: &State) -> Pending {
    pending(program, state)[0]
}

pub fn answer(
    program: &Program,
    state: &mut State,
    index: usize,
    choice: &Choice,
) -> Result<Vec<Event>, StepError> {
    let mut events = Collect::default();
    step(program, state, index, choice, &mut Seeded, &mut events)?;
    Ok(events.0)
}
