//! Multiple comparisons: of twenty tests, one is significant by chance alone.

/// Returns the probabilities after Holm's correction, in the same order.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = probabilities.iter().copied().enumerate().collect();
    order.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let mut corrected = vec![1.0; probabilities.len()];
    let mut least = 0.0_f64;
    for (rank, (at, probability)) in order.into_iter().enumerate() {
        let left = (probabilities.len() - rank) as f64;
        least = least.max((probability * left).min(1.0));
        if let Some(slot) = corrected.get_mut(at) {
            *slot = least;
        }
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_worked_example() {
        // The result of `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")` in R: 0.03 0.06 0.06 0.02
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        let wanted = [0.03, 0.06, 0.06, 0.02];
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12, "{found}, not {wanted}");
        }
    }

    #[test]
    fn one_question_stays_as_it_is_and_none_exceeds_one() {
        assert_eq!(holm(&[0.2]), [0.2]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
