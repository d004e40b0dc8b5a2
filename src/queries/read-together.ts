import type { Reader } from '../store/database.ts'

/**
 * Answers questions that do not wait for each other, in their order: all at once where each gets a connection of its
 * own, and one after the other inside a transaction, whose one connection answers one at a time.
 */
export async function readTogether<Answers extends readonly unknown[]>(
  reader: Reader,
  questions: readonly [...{ [At in keyof Answers]: () => Promise<Answers[At]> }],
): Promise<Answers> {
  if (!('inTransaction' in reader)) return (await Promise.all(questions.map((ask) => ask()))) as unknown as Answers
  const answers: unknown[] = []
  for (const ask of questions) answers.push(await ask())
  return answers as unknown as Answers
}
