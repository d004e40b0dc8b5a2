import { dayOf } from '../kernel/clock.ts'

/** An answer that is sent while it is made, for exports that do not fit in memory. */
export class Streamed {
  readonly chunks: AsyncIterable<string>
  readonly headers: Readonly<Record<string, string>>

  constructor(chunks: AsyncIterable<string>, headers: Readonly<Record<string, string>>) {
    this.chunks = chunks
    this.headers = headers
  }
}

/** Answers with `chunks` in order. What is known only at the end cannot become a header. */
export function streamed(chunks: AsyncIterable<string>, headers: Readonly<Record<string, string>> = {}): Streamed {
  return new Streamed(chunks, headers)
}

/** What is declared of an answer that is a file. */
export const FILE_NAME_HEADER = {
  'Content-Disposition': 'A name under which the answer can be kept, with the day (UTC) on which it was made.',
} as const

/** The header that names the answer, such as mentions-2026-11-20.csv. */
export function fileNamed(
  what: 'mentions' | 'people' | 'workspace',
  ending: 'csv' | 'json' | 'jsonl',
  at: Date,
): Record<keyof typeof FILE_NAME_HEADER, string> {
  return { 'Content-Disposition': `attachment; filename="${what}-${dayOf(at)}.${ending}"` }
}
