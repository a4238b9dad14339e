//! The dependencies of a mask: whether its result can be cached until the state changes.

use wyrmgate_program::*;

/// The dependencies of a mask.
#[derive(Default)]
pub struct Facts {
    bound: Vec<Temp>,
    asked: Vec<Temp>,
    frame: bool,
    /// Temps that refer to lists: their values do not determine the contents.
    lists: bool,
    pub reads: Reads,
}

impl Facts {
    /// Returns whether it depends on nothing but the state.
    pub fn is_closed(&self) -> bool {
        !self.frame && self.asked.iter().all(|temp| self.bound.contains(temp))
    }

    /// Returns the temps on which it depends besides the state; `None` if it depends on more.
    pub fn free_temps(&self) -> Option<Vec<Temp>> {
        let mut free: Vec<Temp> = self.asked.clone();
        free.retain(|temp| !self.bound.contains(temp));
        free.sort_unstable();
        free.dedup();
        (!self.frame && !self.lists).then_some(free)
    }

    /// Returns whether it reads this temp.
    pub fn asks(&self, temp: Temp) -> bool {
        self.asked.contains(&temp)
    }

    pub fn of_mask(&mut self, program: &Program, id: MaskId) {
        let Some(info) = program.masks.get(id as usize) else {
            return;
        };
        match info.mask {
            // Their dependencies were noted when they were made.
            Mask::Kept { reads, .. } => self.also(reads),
            Mask::KeptFor(KeptForTemps { reads, temps, .. }) => {
                self.also(reads);
                self.asked.extend(temps);
            }
            mask => {
                for within in self.add(program, mask) {
                    self.of_mask(program, within);
                }
                for part in mask.parts(program) {
                    self.of_part(program, part);
                }
            }
        }
    }

    fn also(&mut self, reads: Reads) {
        self.reads.words |= reads.words;
        self.reads.course |= reads.course;
    }

    /// Notes that words are read. A variable never overlaps the built-in ones.
    fn of_words(&mut self, program: &Program, offset: u32) {
        let course = offset < program.course_words();
        self.also(Reads {
            words: !course,
            course,
        });
    }

    fn everything(&mut self) {
        self.also(Reads {
            words: true,
            course: true,
        });
    }

    fn of_part(&mut self, program: &Program, part: Part) {
        let Some(node) = program.node(part) else {
            return;
        };
        for within in self.add(program, node) {
            self.of_mask(program, within);
        }
        for part in node.parts(program) {
            self.of_part(program, part);
        }
    }

    /// Notes what the fields of one operation read and bind; the masks among them are left to the caller.
    fn add<T: Operation>(&mut self, program: &Program, operation: T) -> Vec<MaskId> {
        let mut masks = Vec::new();
        operation.each_field(&mut |field| match field {
            Field::Temp(temp) => self.asked.push(*temp),
            Field::ListTemp(temp) => {
                self.asked.push(*temp);
                self.lists = true;
            }
            Field::Bound(temp) | Field::BoundList(temp) => self.bound.push(*temp),
            Field::Frame(_) => self.frame = true,
            Field::Word(offset) => self.of_words(program, *offset),
            // The reads of these are not followed.
            Field::Query(_) | Field::Dispatch(_) | Field::Supposed(_) => self.everything(),
            Field::Mask(mask) => masks.push(*mask),
            Field::Expr(_) | Field::Row(_) | Field::Set(_) | Field::InOrder(_) => {}
            // Only statements have these.
            Field::Address(_) | Field::Site(_) | Field::Args(_) | Field::FaceDown(_) => {}
        });
        masks
    }
}
