import type { Reader } from '../store/database.ts'

/**
 * Answers independent queries in order: concurrently with separate connections, one after the other in a transaction,
 * which has only one.
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
