/** The answer of an operation that makes something, when it found it made. */
export class AlreadyThere<Answer = unknown> {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}

/** Answers with something that was there before. Only an operation which declares that with `again` may. */
export function alreadyThere<Answer>(answer: Answer): AlreadyThere<Answer> {
  return new AlreadyThere(answer)
}
