import { words } from './words.ts'

/** A fault of an attempt as the log names it, with what a status means. */
export function faultInWords(fault: string): string {
  const status = /^status (\d{3})$/.exec(fault)?.[1]
  if (status === undefined) return fault
  const meaning = words.meanings[status] ?? words.meanings[status[0]!]
  return words.receiverAnswered(status, meaning)
}
