//! Initialisers: braces, designators and brace elision, flattened to entries with offsets.

use super::Sema;
use crate::ast::{self, Basic, Designator, Encoding, ExprKind};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::types::*;
use std::rc::Rc;

/// How many entries one initialiser may have; a range designator multiplies.
const MAX_ENTRIES: usize = 1 << 20;

/// The items of one pair of braces, consumed in order.
struct Items<'a> {
    list: &'a [(Vec<Designator>, ast::Init)],
    at: usize,
    span: Span,
}

/// An object to be filled: its type and where it lies.
#[derive(Copy, Clone)]
struct Place {
    ty: QualType,
    offset: u64,
    bits: Option<Bits>,
}

impl Sema<'_> {
    /// Checks an initialiser; the type returned has its length completed.
    pub(super) fn initialiser(
        &mut self,
        ty: QualType,
        init: &ast::Init,
    ) -> Result<(QualType, Init)> {
        match init {
            ast::Init::List(list) => self.list_initialiser(ty, list),
            ast::Init::Expr(expr) => {
                let mut out = Vec::new();
                if let Type::Array(of, length) = *self.types.get(ty) {
                    if let Some(units) = self.string_for(of, expr) {
                        let ty = self.complete(ty, of, length, units.len() as u64 + 1);
                        self.string_entry(ty, 0, of, &units, &mut out);
                        return Ok((
                            ty,
                            Init {
                                entries: out,
                                zero_rest: true,
                            },
                        ));
                    }
                    // `char a[] = (char[]){…}` and the like copy the literal.
                    if let ExprKind::CompoundLiteral(_, list) = &expr.kind {
                        return self.list_initialiser(ty, list);
                    }
                    return fail(expr.span, "an array needs a braced initialiser");
                }
                let value = self.expr(expr)?;
                let value = self.assign_to(value, ty)?;
                out.push(InitEntry {
                    offset: 0,
                    bits: None,
                    ty,
                    value: InitValue::Expr(Rc::new(value)),
                });
                Ok((
                    ty,
                    Init {
                        entries: out,
                        zero_rest: false,
                    },
                ))
            }
        }
    }

    pub(super) fn list_initialiser(
        &mut self,
        ty: QualType,
        list: &ast::InitList,
    ) -> Result<(QualType, Init)> {
        let mut out = Vec::new();
        let mut ty = ty;
        if let Type::Array(of, length) = *self.types.get(ty) {
            // `char s[] = { "text" }`.
            if let [(designators, ast::Init::Expr(expr))] = &list.items[..]
                && designators.is_empty()
                && let Some(units) = self.string_for(of, expr)
            {
                ty = self.complete(ty, of, length, units.len() as u64 + 1);
                self.string_entry(ty, 0, of, &units, &mut out);
                return Ok((
                    ty,
                    Init {
                        entries: out,
                        zero_rest: true,
                    },
                ));
            }
            if let Length::Variable(_) = length {
                return fail(list.span, "a variable-length array cannot be initialised");
            }
            let place = Place {
                ty,
                offset: 0,
                bits: None,
            };
            let count = self.braced(place, list, &mut out)?;
            ty = self.complete(ty, of, length, count);
        } else {
            let place = Place {
                ty,
                offset: 0,
                bits: None,
            };
            self.braced(place, list, &mut out)?;
        }
        let entries = drop_overridden(out, |e| match &e.value {
            InitValue::Bytes(b) => b.len() as u64,
            InitValue::Expr(_) => self.types.size_of(e.ty).unwrap_or(1),
        });
        Ok((
            ty,
            Init {
                entries,
                zero_rest: true,
            },
        ))
    }

    fn complete(&mut self, ty: QualType, of: QualType, length: Length, count: u64) -> QualType {
        match length {
            Length::Unknown => QualType {
                quals: ty.quals,
                align: ty.align,
                ..self.types.array(of, Length::Known(count))
            },
            _ => ty,
        }
    }

    /// The code units of a string literal that can initialise an array of this element type.
    fn string_for(&self, element: QualType, expr: &ast::Expr) -> Option<Rc<[u32]>> {
        let ExprKind::Str { units, encoding } = &expr.kind else {
            return None;
        };
        let basic = self
            .types
            .basic(element)
            .filter(|b| int_rank(*b).is_some())?;
        let narrow = matches!(encoding, Encoding::Plain | Encoding::Utf8);
        let width = match encoding {
            Encoding::Plain | Encoding::Utf8 => 8,
            Encoding::Char16 => 16,
            Encoding::Wide | Encoding::Char32 => 32,
        };
        let is_char = matches!(basic, Basic::Char | Basic::SChar | Basic::UChar);
        (self.types.int_bits(basic) == width && narrow == is_char).then(|| units.clone())
    }

    fn string_entry(
        &mut self,
        ty: QualType,
        offset: u64,
        element: QualType,
        units: &[u32],
        out: &mut Vec<InitEntry>,
    ) {
        let width = self.types.size_of(element).unwrap_or(1) as usize;
        let mut bytes = Vec::with_capacity((units.len() + 1) * width);
        for unit in units.iter().chain([&0]) {
            bytes.extend(&unit.to_le_bytes()[..width]);
        }
        let size = self.types.size_of(ty).unwrap_or(bytes.len() as u64);
        bytes.truncate(size as usize);
        out.push(InitEntry {
            offset,
            bits: None,
            ty,
            value: InitValue::Bytes(bytes.into()),
        });
    }

    /// Fills an object from a list in braces; returns how many elements an array got.
    fn braced(
        &mut self,
        place: Place,
        list: &ast::InitList,
        out: &mut Vec<InitEntry>,
    ) -> Result<u64> {
        let mut items = Items {
            list: &list.items,
            at: 0,
            span: list.span,
        };
        if self.is_aggregate(place.ty) {
            let count = self.fill(place, &mut items, true, out)?;
            return Ok(count);
        }
        // A scalar in braces.
        let Some((designators, init)) = items.list.first() else {
            let zero = super::convert::int(0, Basic::Int, list.span);
            let zero = self.cast(zero, place.ty);
            return self.entry(place, zero, out).map(|()| 1);
        };
        if let Some(designator) = designators.first() {
            return fail(
                designator_span(designator),
                "a designator in a scalar initialiser",
            );
        }
        match init {
            ast::Init::List(inner) => self.braced(place, inner, out),
            ast::Init::Expr(expr) => {
                let value = self.expr(expr)?;
                let value = self.assign_to(value, place.ty)?;
                self.entry(place, value, out).map(|()| 1)
            }
        }
    }

    fn entry(&mut self, place: Place, value: Expr, out: &mut Vec<InitEntry>) -> Result<()> {
        if out.len() >= MAX_ENTRIES {
            return fail(value.span, "the initialiser is too large");
        }
        out.push(InitEntry {
            offset: place.offset,
            bits: place.bits,
            ty: place.ty,
            value: InitValue::Expr(Rc::new(value)),
        });
        Ok(())
    }

    fn is_aggregate(&self, ty: QualType) -> bool {
        matches!(
            self.types.get(ty),
            Type::Array(..) | Type::Record(_) | Type::Vector(..)
        )
    }

    /// The `index`-th part of an aggregate; `None` past the end.
    fn part(&self, place: Place, index: u64) -> Option<Place> {
        match self.types.get(place.ty) {
            Type::Array(of, length) => {
                if let Length::Known(n) = length
                    && index >= *n
                {
                    return None;
                }
                let size = self.types.size_of(*of)?;
                Some(Place {
                    ty: *of,
                    offset: place.offset.checked_add(size.checked_mul(index)?)?,
                    bits: None,
                })
            }
            Type::Vector(of, bytes) => {
                let size = self.types.size_of(*of)?;
                (index * size < *bytes).then_some(Place {
                    ty: *of,
                    offset: place.offset + index * size,
                    bits: None,
                })
            }
            Type::Record(r) => {
                let record = self.types.record(*r);
                if record.kind == ast::RecordKind::Union && index > 0 {
                    let first = self.first_named(*r)?;
                    // A union has one initialisable part, unless a designator picks another.
                    if index as usize != first {
                        let field = record.fields.get(index as usize)?;
                        return Some(Place {
                            ty: field.ty,
                            offset: place.offset + field.offset,
                            bits: field.bits,
                        });
                    }
                }
                let field = record.fields.get(index as usize)?;
                Some(Place {
                    ty: field.ty,
                    offset: place.offset + field.offset,
                    bits: field.bits,
                })
            }
            _ => None,
        }
    }

    fn first_named(&self, record: RecordId) -> Option<usize> {
        let fields = &self.types.record(record).fields;
        fields
            .iter()
            .position(|f| f.name.is_some() || f.bits.is_none())
    }

    /// Whether the part at an index is skipped without a designator (an unnamed bit-field).
    fn skipped(&self, place: Place, index: u64) -> bool {
        match self.types.get(place.ty) {
            Type::Record(r) => {
                let field = self.types.record(*r).fields.get(index as usize);
                field.is_some_and(|f| f.name.is_none() && f.bits.is_some())
            }
            _ => false,
        }
    }

    /// Fills the parts of an aggregate from items; without braces of its own it stops when it is full.
    fn fill(
        &mut self,
        place: Place,
        items: &mut Items,
        braces: bool,
        out: &mut Vec<InitEntry>,
    ) -> Result<u64> {
        let mut index: u64 = 0;
        let mut count: u64 = 0;
        let union = matches!(self.types.get(place.ty), Type::Record(r)
            if self.types.record(*r).kind == ast::RecordKind::Union);
        let mut started = false;
        while let Some((designators, _)) = items.list.get(items.at) {
            if !designators.is_empty() {
                if !braces {
                    return Ok(count);
                }
                index = self.designated(place, items, out)?;
                count = count.max(index);
                started = true;
                continue;
            }
            while self.skipped(place, index) {
                index += 1;
            }
            let full = union && started;
            let part = if full { None } else { self.part(place, index) };
            let Some(part) = part else {
                if braces {
                    // Too many initialisers: gcc warns and drops them.
                    items.at = items.list.len();
                }
                return Ok(count);
            };
            self.fill_part(part, items, out)?;
            started = true;
            index += 1;
            count = count.max(index);
        }
        Ok(count)
    }

    /// One part, from the item at hand.
    fn fill_part(
        &mut self,
        part: Place,
        items: &mut Items,
        out: &mut Vec<InitEntry>,
    ) -> Result<()> {
        let Some((_, init)) = items.list.get(items.at) else {
            return Ok(());
        };
        let expr = match init {
            ast::Init::List(list) => {
                items.at += 1;
                if let Type::Array(of, _) = *self.types.get(part.ty)
                    && let [(designators, ast::Init::Expr(expr))] = &list.items[..]
                    && designators.is_empty()
                    && let Some(units) = self.string_for(of, expr)
                {
                    self.string_entry(part.ty, part.offset, of, &units, out);
                    return Ok(());
                }
                self.braced(part, list, out)?;
                return Ok(());
            }
            ast::Init::Expr(expr) => expr,
        };
        if let Type::Array(of, _) = *self.types.get(part.ty)
            && let Some(units) = self.string_for(of, expr)
        {
            items.at += 1;
            self.string_entry(part.ty, part.offset, of, &units, out);
            return Ok(());
        }
        if self.is_aggregate(part.ty) {
            // A record can be initialised by a value of its type; otherwise braces were left out.
            if self.types.is_record(part.ty) {
                let ty = self.type_of(expr)?;
                if self.compatible_unqualified(ty, part.ty) {
                    items.at += 1;
                    let value = self.expr(expr)?;
                    let value = self.assign_to(value, part.ty)?;
                    return self.entry(part, value, out);
                }
            }
            if self.part(part, 0).is_none() {
                items.at += 1;
                return Ok(());
            }
            self.fill(part, items, false, out)?;
            return Ok(());
        }
        items.at += 1;
        let value = self.expr(expr)?;
        let value = self.assign_to(value, part.ty)?;
        self.entry(part, value, out)
    }

    /// An item with a designation; returns the index after the one designated in `place`.
    fn designated(
        &mut self,
        place: Place,
        items: &mut Items,
        out: &mut Vec<InitEntry>,
    ) -> Result<u64> {
        let (designators, _) = &items.list[items.at];
        let item = items.at;
        let (first, last, parts) = self.designate(place, &designators[0], items.span)?;
        let rest = &designators[1..];
        for repeat in first..=last {
            items.at = item;
            let mut part = match parts {
                Some(part) => part,
                None => match self.part(place, repeat) {
                    Some(part) => part,
                    None => return fail(items.span, "a designator outside of the object"),
                },
            };
            for designator in rest {
                let (index, end, inner) = self.designate(part, designator, items.span)?;
                if index != end {
                    return refuse(
                        items.span,
                        "a range inside a longer designation is not supported",
                    );
                }
                part = match inner.or_else(|| self.part(part, index)) {
                    Some(part) => part,
                    None => return fail(items.span, "a designator outside of the object"),
                };
            }
            self.fill_part(part, items, out)?;
        }
        // What follows continues after the innermost designated part: only its outermost step is continued.
        if !rest.is_empty() {
            self.continue_inside(place, first, items, rest, out)?;
        }
        Ok(last + 1)
    }

    /// After `.a.b = x`, plain items go on inside `.a`.
    fn continue_inside(
        &mut self,
        place: Place,
        first: u64,
        items: &mut Items,
        rest: &[Designator],
        out: &mut Vec<InitEntry>,
    ) -> Result<()> {
        let Some(part) = self.part(place, first) else {
            return Ok(());
        };
        let (index, _, _) = self.designate(part, &rest[0], items.span)?;
        let union = matches!(self.types.get(part.ty), Type::Record(r)
            if self.types.record(*r).kind == ast::RecordKind::Union);
        if union {
            return Ok(());
        }
        let mut next = index + 1;
        while let Some((designators, _)) = items.list.get(items.at) {
            while self.skipped(part, next) {
                next += 1;
            }
            let Some(inner) = self.part(part, next).filter(|_| designators.is_empty()) else {
                return Ok(());
            };
            self.fill_part(inner, items, out)?;
            next += 1;
        }
        Ok(())
    }

    /// The part one designator names: first and last index, and the place if it lies in an anonymous member.
    fn designate(
        &mut self,
        place: Place,
        designator: &Designator,
        span: Span,
    ) -> Result<(u64, u64, Option<Place>)> {
        match (designator, self.types.get(place.ty).clone()) {
            (Designator::Field(name, span), Type::Record(record)) => {
                let fields = &self.types.record(record).fields;
                if let Some(index) = fields.iter().position(|f| f.name == Some(*name)) {
                    return Ok((index as u64, index as u64, None));
                }
                let index = fields.iter().position(|f| {
                    f.name.is_none()
                        && matches!(self.types.get(f.ty), Type::Record(r) if self.find_field(*r, *name).is_some())
                });
                match (index, self.find_field(record, *name)) {
                    (Some(index), Some((offset, field))) => Ok((
                        index as u64,
                        index as u64,
                        Some(Place {
                            ty: field.ty,
                            offset: place.offset + offset,
                            bits: field.bits,
                        }),
                    )),
                    _ => {
                        let name = self.names.name(*name);
                        fail(*span, format!("no member `{name}`"))
                    }
                }
            }
            (Designator::Index(index), Type::Array(..)) => {
                let index = self.index(index)?;
                Ok((index, index, None))
            }
            (Designator::Range(first, last), Type::Array(..)) => {
                let (first, last) = (self.index(first)?, self.index(last)?);
                if first > last || last - first >= MAX_ENTRIES as u64 {
                    return fail(span, "the range of the designator is empty or too large");
                }
                Ok((first, last, None))
            }
            _ => fail(
                designator_span(designator),
                "the designator does not fit the type",
            ),
        }
    }

    fn index(&mut self, expr: &ast::Expr) -> Result<u64> {
        let value = self.constant_int(expr)?;
        match u64::try_from(value) {
            Ok(v) if v < 1 << 40 => Ok(v),
            _ => fail(expr.span, "the index is outside of the array"),
        }
    }

    /// `__auto_type x = value`.
    pub(super) fn auto_type(&mut self, init: Option<&ast::Init>, span: Span) -> Result<QualType> {
        match init {
            Some(ast::Init::Expr(expr)) => {
                self.unevaluated += 1;
                let value = self.expr_value(expr);
                self.unevaluated -= 1;
                Ok(value?.ty.unqualified())
            }
            _ => fail(span, "`__auto_type` needs an initialiser"),
        }
    }
}

/// Keeps, of entries that overlap, the last one.
fn drop_overridden(entries: Vec<InitEntry>, size: impl Fn(&InitEntry) -> u64) -> Vec<InitEntry> {
    let range = |e: &InitEntry| match e.bits {
        Some(b) => {
            let start = e.offset * 8 + u64::from(b.offset);
            (start, start + u64::from(b.width))
        }
        None => (e.offset * 8, (e.offset + size(e)) * 8),
    };
    let ascending = entries.windows(2).all(|w| range(&w[0]).1 <= range(&w[1]).0);
    if ascending {
        return entries;
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&i| range(&entries[i]).0);
    let mut dropped = vec![false; entries.len()];
    let mut live: Option<usize> = None;
    for &i in &order {
        if let Some(previous) = live
            && range(&entries[previous]).1 > range(&entries[i]).0
        {
            // A later entry inside an earlier, larger one keeps both: it is stored afterwards.
            let covers = range(&entries[i]).1 >= range(&entries[previous]).1
                && range(&entries[i]).0 <= range(&entries[previous]).0;
            if i > previous && covers {
                dropped[previous] = true;
            } else if i < previous {
                dropped[i] = true;
                continue;
            }
        }
        live = Some(i);
    }
    let mut keep = dropped.iter();
    let mut entries = entries;
    entries.retain(|_| !keep.next().copied().unwrap_or(false));
    entries
}

fn designator_span(designator: &Designator) -> Span {
    match designator {
        Designator::Field(_, span) => *span,
        Designator::Index(e) | Designator::Range(e, _) => e.span,
    }
}
