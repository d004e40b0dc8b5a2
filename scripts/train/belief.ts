/**
 * How much the second of two learners believes the first one rather than a label: people contradict one another in what
 * they label, and the first has what it makes of a text from all texts like it (self-distillation). Found by
 * cross-validation.
 */
const BELIEF = 0.6

/** The label, as likely as it was given, drawn towards how likely the first learner said that it is. */
export function tempered(label: number, said: number): number {
  return label + BELIEF * (said - label)
}
