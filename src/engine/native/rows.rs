//! Decisions about several names: all choices are noted in the menu, group by group, as the interpreter does it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

use super::bits::Set;
use super::context::{Context, MEMBERS_MAX, NAMES_MAX};
use super::emit::{Scalar, Translator, at, offset};
use super::lists::Made;
use super::menu::ends_in_bits;
use super::{helper, list_helper};
use crate::engine::choices::may_repeat;
use crate::program::{
    Address, BinderInfo, BinderSize, MaskId, SEATS_MAX, Set as List, Site, SiteId, SiteOption, Type,
};

/// How the members of a name are come by.
#[derive(Clone, Copy)]
enum Source {
    /// All members of a mask, the lowest first.
    Mask(MaskId),
    /// Those of a mask in the order in which they lie in a zone.
    Lying(MaskId),
    /// What of the domain passes the filters, walked in place.
    Listed,
    /// What the interpreter finds.
    Asked,
}

impl Translator<'_> {
    /// Can the choices be noted in place? Names for lists before others are left to the interpreter.
    pub fn can_note(&self, site: &Site) -> bool {
        let few = site
            .options
            .iter()
            .all(|option| option.binders.len() <= NAMES_MAX);
        // Several members are chosen in one group: nothing comes after them.
        let free = site.options.iter().all(|option| {
            let names = option.binders.iter().rev();
            let mut plain = names.skip(usize::from(option.checks.is_empty()));
            plain.all(|name| name.count == BinderSize::One)
        });
        few && free
    }

    /// Can rows of the context hold what the choices end in?
    pub fn fits_in_rows(&self, site: &Site) -> bool {
        site.options.iter().all(|option| {
            let last = option.binders.last().filter(|_| ends_in_bits(option));
            last.is_none_or(|last| !matches!(self.source(last), Source::Asked))
        })
    }

    fn source(&self, name: &BinderInfo) -> Source {
        let lies = matches!(
            self.program.sets.get(name.domain as usize),
            Some(List::Zone(_))
        );
        match name.mask {
            Some(mask) if self.program.masks.get(mask as usize).is_none() => Source::Asked,
            Some(mask) if lies => Source::Lying(mask),
            Some(mask) => Source::Mask(mask),
            None if self.can_walk(name.domain) => Source::Listed,
            None => Source::Asked,
        }
    }

    /// Notes all choices; answers whether there are any beside to decline. `seat` decides; where the order of components
    /// is a secret, the block `slowly` is where to go.
    pub fn note(
        &mut self,
        (site_id, site): (SiteId, &Site),
        seat: Value,
        slowly: Block,
        into: Into,
    ) -> Option<Value> {
        let proper = site.proper_options().len();
        let mut any = self.b.ins().iconst(types::I8, 0);
        for (number, option) in site.options.iter().enumerate() {
            self.temps.clear();
            self.set_temp(site.seat_temp, Scalar::Word(seat));
            self.work += 1;
            let open = self.all_hold(option.conditions.iter());
            let (inside, after) = (self.b.create_block(), self.b.create_block());
            let found = self.b.append_block_param(after, types::I8);
            let none = self.b.ins().iconst(types::I8, 0);
            let skipped = [BlockArg::Value(none)];
            self.b.ins().brif(open, inside, &[], after, &skipped);
            let noted = std::mem::take(&mut self.work);
            self.b.switch_to_block(inside);
            let mut noting = Noting {
                site: site_id,
                number: number as i32,
                option,
                seat,
                slowly,
                into,
                apart: Vec::new(),
            };
            self.gather_apart(&mut noting)?;
            let more = self.note_names(&noting, &mut Vec::new())?;
            self.count();
            self.jump(after, &[BlockArg::Value(more)]);
            self.b.switch_to_block(after);
            self.work = noted;
            if number < proper {
                any = self.b.ins().bor(any, found);
            }
        }
        Some(any)
    }

    /// Goes through the values of a name, and for each through the rest; answers whether there are any choices.
    fn note_names(&mut self, noting: &Noting<'_>, names: &mut Vec<Value>) -> Option<Value> {
        let name = names.len();
        let Some(binder) = noting.option.binders.get(name) else {
            return self.note_itself(noting, names);
        };
        let source = self.source(binder);
        let is_free = name + 1 == noting.option.binders.len() && noting.option.checks.is_empty();
        if binder.count != BinderSize::One {
            let buffer = self.buffer_of(name);
            let count = self.gather(noting, name, binder, (source, buffer))?;
            return self.note_selections(noting, name, binder, count);
        }
        if let (true, Source::Mask(mask)) = (is_free, source) {
            let bits = self.members(mask)?;
            self.all_known(noting, binder, bits);
            return match noting.into {
                Into::Rows => self.put_row_of_mask(noting, names, mask, bits),
                Into::Menu => self.note_bits(noting, name, mask, bits),
            };
        }
        if is_free {
            let repeats = self.may_repeat(binder, source);
            let buffer = match noting.into {
                Into::Rows if !repeats => self.listing(),
                _ => self.buffer_of(name),
            };
            let count = self.gather(noting, name, binder, (source, buffer))?;
            if noting.into == Into::Rows && repeats {
                self.list(buffer.first, count);
            }
            if noting.into == Into::Rows {
                return self.put_row_of_list(noting, names, count);
            }
            self.note_list(noting, name, count);
            return Some(self.is(IntCC::NotEqual, count, 0));
        }
        let no = self.b.ins().iconst(types::I8, 0);
        let mut failed = false;
        let mut rest = |t: &mut Self, member: Value, made: &[Value]| {
            t.set_temp(binder.temp, Scalar::Word(member));
            if noting.into == Into::Menu {
                t.set_part(member, at(offset_of!(Context, prefix)) + offset(name));
            }
            let before = t.temps.clone();
            names.push(member);
            let more = t.note_names(noting, names);
            names.pop();
            t.temps = before;
            failed |= more.is_none();
            let found = match (more, made.first().copied()) {
                (Some(more), Some(so_far)) => t.b.ins().bor(more, so_far),
                _ => no,
            };
            (vec![found], None)
        };
        let made = match source {
            Source::Mask(mask) => {
                let domain = self.program.masks.get(mask as usize)?.domain;
                let bits = self.members(mask)?;
                self.all_known(noting, binder, bits);
                self.each_bit(bits, &[no], |t, number, made| {
                    let member = t.member(domain, number);
                    rest(t, member, made)
                })
            }
            // Those that come after look at the same buffers and registers.
            _ => {
                let count = match noting.apart.get(name) {
                    Some(Some(count)) => *count,
                    _ => {
                        let buffer = self.buffer_of(name);
                        self.gather(noting, name, binder, (source, buffer))?
                    }
                };
                let first = self.buffer(name);
                let end = self.place(first, count);
                self.each_value(first, end, &[no], &mut rest)
            }
        };
        if failed {
            return None;
        }
        made.first().copied()
    }

    /// Names that do not depend on those before them are looked for once, before all others.
    fn gather_apart(&mut self, noting: &mut Noting<'_>) -> Option<()> {
        let last = noting.option.binders.len().checked_sub(1);
        for (name, binder) in noting.option.binders.iter().enumerate() {
            let source = self.source(binder);
            let is_free = Some(name) == last && noting.option.checks.is_empty();
            let is_apart = binder.apart && !is_free && !matches!(source, Source::Mask(_));
            let count = match is_apart {
                true => {
                    let buffer = self.buffer_of(name);
                    Some(self.gather(noting, name, binder, (source, buffer))?)
                }
                false => None,
            };
            noting.apart.push(count);
        }
        Some(())
    }

    fn may_repeat(&self, binder: &BinderInfo, source: Source) -> bool {
        matches!(source, Source::Listed) && may_repeat(self.program, binder.domain)
    }

    /// Puts so many members where a row lists them.
    fn list(&mut self, from: Value, count: Value) {
        let listing = self.listing();
        let end = self.place(from, count);
        let none = self.int(0);
        self.each_value(from, end, &[none], &mut |t, member, made| {
            let number = made.first().copied().unwrap_or(none);
            (vec![t.put_into(listing, number, member)], None)
        });
    }

    /// Chance takes one of the members of the only name.
    pub fn choose_at_random(&mut self, place: Address, site_id: SiteId) -> Option<Vec<Address>> {
        let program = self.program;
        let site = program.sites.get(usize::from(site_id))?;
        let [option] = site.options.as_slice() else {
            return None;
        };
        let [name] = option.binders.as_slice() else {
            return None;
        };
        let plain = option.conditions.is_empty() && option.checks.is_empty();
        let source = self.source(name);
        if !plain || name.count != BinderSize::One || matches!(source, Source::Asked) {
            return None;
        }
        self.has_slot(name.local)?;
        let seat = self.plain(site.who);
        let (least, most) = (self.int(0), self.int(SEATS_MAX as i32 - 1));
        let seat = self.b.ins().smax(seat, least);
        let seat = self.b.ins().smin(seat, most);
        self.temps.clear();
        self.set_temp(site.seat_temp, Scalar::Word(seat));
        let slowly = self.b.create_block();
        let noting = Noting {
            site: site_id,
            number: 0,
            option,
            seat,
            slowly,
            into: Into::Menu,
            apart: Vec::new(),
        };
        let buffer = self.buffer_of(0);
        self.work += 1;
        let count = self.gather(&noting, 0, name, (source, buffer))?;
        let (draw, otherwise) = (self.b.create_block(), self.b.create_block());
        self.count();
        self.branch(count, draw, otherwise);
        self.b.switch_to_block(slowly);
        let number = self.int(place as i32);
        let perform = helper::perform as *const u8;
        let next = self.call_helper(perform, &[number], Some(types::I32))?;
        self.leave_with(next);
        self.b.switch_to_block(draw);
        self.told += 1;
        let drawn = self.call_helper(helper::draw as *const u8, &[count], Some(types::I32))?;
        let member = self.place(buffer.first, drawn);
        let member = self.load(types::I32, member, 0);
        self.set_local(name.local, member)?;
        let mut next = self.go_on(place, option.target);
        self.b.switch_to_block(otherwise);
        next.extend(self.go_on(place, site.otherwise));
        Some(next)
    }

    /// The choice that is the names themselves, if they pass together.
    fn note_itself(&mut self, noting: &Noting<'_>, names: &[Value]) -> Option<Value> {
        let passes = self.all_hold(noting.option.checks.iter());
        if noting.into == Into::Rows {
            return self.put_row_of_one(noting, names, passes);
        }
        let names = names.len();
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        self.count();
        self.branch(passes, inside, after);
        self.b.switch_to_block(inside);
        let itself = self.int(-1);
        self.note_list(noting, names, itself);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
        Some(passes)
    }

    /// Where members go that a row lists.
    fn listing(&mut self) -> Buffer {
        Buffer {
            first: self.part(types::I64, at(offset_of!(Context, next_listed))),
            room: Room::UpTo(self.part(types::I64, at(offset_of!(Context, last_listed)))),
        }
    }

    fn buffer_of(&mut self, name: usize) -> Buffer {
        Buffer {
            first: self.buffer(name),
            room: Room::Of(MEMBERS_MAX),
        }
    }

    /// Puts a member at this place of a buffer; answers the next one.
    fn put_into(&mut self, buffer: Buffer, number: Value, member: Value) -> Value {
        let place = self.place(buffer.first, number);
        let full = match buffer.room {
            Room::Of(most) => self.is(IntCC::SignedGreaterThanOrEqual, number, most as i64),
            Room::UpTo(last) => self.b.ins().icmp(IntCC::UnsignedGreaterThan, place, last),
        };
        self.refuse(full);
        self.store(member, place, 0);
        self.b.ins().iadd_imm_s(number, 1)
    }

    /// Where the members of a name are put.
    fn buffer(&mut self, name: usize) -> Value {
        let first = self.part(types::I64, at(offset_of!(Context, members)));
        let bytes = offset(name * MEMBERS_MAX);
        self.b.ins().iadd_imm_s(first, i64::from(bytes))
    }

    /// Puts the members of a name into its buffer; answers how many.
    fn gather(
        &mut self,
        noting: &Noting<'_>,
        name: usize,
        binder: &BinderInfo,
        (source, buffer): (Source, Buffer),
    ) -> Option<Value> {
        let none = self.int(0);
        let put = |t: &mut Self, member: Value, made: &[Value]| {
            let number = made.first().copied().unwrap_or(none);
            (vec![t.put_into(buffer, number, member)], None)
        };
        let made = match source {
            Source::Mask(mask) => {
                let domain = self.program.masks.get(mask as usize)?.domain;
                let bits = self.members(mask)?;
                self.each_bit(bits, &[none], |t, number, made| {
                    let member = t.member(domain, number);
                    put(t, member, made)
                })
            }
            Source::Lying(mask) => {
                let domain = self.program.masks.get(mask as usize)?.domain;
                let bits = self.members(mask)?;
                self.each(binder.domain, &[none], &mut |t, member, made| {
                    let number = t.b.ins().iadd_imm_s(member, -i64::from(domain.first));
                    let is_in = t.has(bits, number);
                    let is_in = t.is(IntCC::NotEqual, is_in, 0);
                    t.only_if(is_in, made, |t, made| put(t, member, made))
                })
            }
            Source::Listed => self.each(binder.domain, &[none], &mut |t, member, made| {
                t.set_temp(binder.temp, Scalar::Word(member));
                let passes = t.all_hold(binder.filters.iter());
                t.only_if(passes, made, |t, made| put(t, member, made))
            }),
            Source::Asked => return self.ask_members(noting, name),
        };
        let mut count = made.first().copied()?;
        if self.may_repeat(binder, source) {
            count = self.arrange(name, count, list_helper::UNIQUE);
        }
        if matches!(binder.of, Type::Component(_)) {
            let hidden = self.listed_hidden(buffer.first, count, noting.seat);
            let (ask, known) = (self.b.create_block(), self.b.create_block());
            self.count();
            self.branch(hidden, ask, known);
            self.b.switch_to_block(ask);
            let arguments = [noting.seat, buffer.first, count];
            let helper = helper::all_listed_seen as *const u8;
            let seen = self.call_helper(helper, &arguments, Some(types::I32))?;
            self.branch(seen, known, noting.slowly);
            self.b.switch_to_block(known);
        }
        Some(count)
    }

    /// The interpreter puts the members into the buffer.
    fn ask_members(&mut self, noting: &Noting<'_>, name: usize) -> Option<Value> {
        self.asks += 1;
        self.spill_temps();
        let place = [i32::from(noting.site), noting.number, name as i32];
        let [site, option, name] = place.map(|number| self.int(number));
        let arguments = [noting.seat, site, option, name];
        let helper = helper::domain as *const u8;
        let count = self.call_helper(helper, &arguments, Some(types::I32))?;
        let failed = self.is(IntCC::SignedLessThan, count, 0);
        self.refuse(failed);
        Some(count)
    }

    fn or_slowly(&mut self, noting: &Noting<'_>, flag: Value) {
        let goes_on = self.b.create_block();
        self.count();
        self.branch(flag, goes_on, noting.slowly);
        self.b.switch_to_block(goes_on);
    }

    /// Components that the seat cannot identify go in another order, which is the interpreter's to find.
    fn all_known(&mut self, noting: &Noting<'_>, binder: &BinderInfo, bits: Set) {
        if !matches!(binder.of, Type::Component(_)) {
            return;
        }
        let Some(first) = binder
            .mask
            .and_then(|mask| self.program.masks.get(mask as usize))
            .map(|mask| mask.domain.first)
        else {
            return;
        };
        let any = self.any(bits);
        let (some, after) = (self.b.create_block(), self.b.create_block());
        self.count();
        self.branch(any, some, after);
        self.b.switch_to_block(some);
        self.set_bits(bits);
        let first = self.int(first);
        let arguments = [noting.seat, first];
        let helper = helper::all_seen as *const u8;
        if let Some(seen) = self.call_helper(helper, &arguments, Some(types::I32)) {
            self.or_slowly(noting, seen);
        }
        self.jump(after, &[]);
        self.b.switch_to_block(after);
    }

    pub fn set_bits(&mut self, bits: Set) {
        self.set_part(bits.low, at(offset_of!(Context, low)));
        let zero = self.long(0);
        let high = bits.high.unwrap_or(zero);
        self.set_part(high, at(offset_of!(Context, high)));
    }

    fn note_bits(
        &mut self,
        noting: &Noting<'_>,
        names: usize,
        mask: MaskId,
        bits: Set,
    ) -> Option<Value> {
        let first = self.program.masks.get(mask as usize)?.domain.first;
        let any = self.any(bits);
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        self.count();
        self.branch(any, inside, after);
        self.b.switch_to_block(inside);
        self.set_bits(bits);
        let count = self.count_of(bits);
        let [option, names, first] =
            [noting.number, names as i32, first].map(|number| self.int(number));
        let arguments = [option, names, first, count];
        self.call_helper(helper::note_bits as *const u8, &arguments, None);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
        Some(any)
    }

    /// A group of selections of the members in the buffer; answers whether there are any.
    fn note_selections(
        &mut self,
        noting: &Noting<'_>,
        name: usize,
        binder: &BinderInfo,
        count: Value,
    ) -> Option<Value> {
        let none = self.int(0);
        let (least, most, ordered) = match binder.count {
            BinderSize::Many {
                least,
                most,
                ordered,
            } => (self.plain(least), self.plain(most), ordered),
            BinderSize::Any | BinderSize::One => (none, count, false),
            BinderSize::Permutation => (count, count, true),
        };
        let [option, names, ordered] =
            [noting.number, name as i32, i32::from(ordered)].map(|number| self.int(number));
        let arguments = [option, names, count, least, most, ordered];
        let helper = list_helper::note_selections as *const u8;
        let any = self.call_helper(helper, &arguments, Some(types::I32))?;
        Some(self.is(IntCC::NotEqual, any, 0))
    }

    /// A group of the members in the buffer, or of the choice that is the names themselves.
    fn note_list(&mut self, noting: &Noting<'_>, names: usize, members: Value) {
        let (option, names) = (self.int(noting.number), self.int(names as i32));
        let arguments = [option, names, members];
        self.call_helper(helper::note_list as *const u8, &arguments, None);
    }

    /// A body only if a flag is set; else what has been made stays as it is.
    fn only_if(
        &mut self,
        flag: Value,
        made: &[Value],
        body: impl FnOnce(&mut Self, &[Value]) -> Made,
    ) -> Made {
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        let end: Vec<Value> = made
            .iter()
            .map(|value| {
                let of = self.b.func.dfg.value_type(*value);
                self.b.append_block_param(after, of)
            })
            .collect();
        let unchanged: Vec<BlockArg> = made.iter().copied().map(BlockArg::Value).collect();
        self.b.ins().brif(flag, inside, &[], after, &unchanged);
        let noted = std::mem::take(&mut self.work);
        self.b.switch_to_block(inside);
        let (made, _) = body(self, made);
        self.count();
        let made: Vec<BlockArg> = made.into_iter().map(BlockArg::Value).collect();
        self.jump(after, &made);
        self.b.switch_to_block(after);
        self.work = noted;
        (end, None)
    }
}

/// What is being noted.
pub(super) struct Noting<'o> {
    site: SiteId,
    pub number: i32,
    option: &'o SiteOption,
    seat: Value,
    slowly: Block,
    into: Into,
    /// How many members those names have that have been looked for beforehand.
    apart: Vec<Option<Value>>,
}

/// Where members go, and how many.
#[derive(Clone, Copy)]
struct Buffer {
    first: Value,
    room: Room,
}

#[derive(Clone, Copy)]
enum Room {
    Of(usize),
    /// Up to this place.
    UpTo(Value),
}

/// Where choices are noted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Into {
    /// In the menu of the runner.
    Menu,
    /// In rows of the context.
    Rows,
}
