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
