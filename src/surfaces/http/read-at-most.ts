import type { Dispatcher } from 'undici'

/** Null when the body has more than `most` bytes. Leaving the loop closes the connection. */
export async function readAtMost(
  body: Dispatcher.ResponseData['body'],
  most: number,
): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
