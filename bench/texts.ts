import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

const TEXTS = 14_000

/** Real posts where the project's data are at hand, else made-up ones of the same length. */
export async function readTexts(): Promise<string[]> {
  const path = new URL('../../shared/data/posts.jsonl', import.meta.url)
  const texts: string[] = []
  if (!existsSync(path))
    return Array.from(
      { length: TEXTS },
      (_, number) => `Post ${number} about ${'this and that '.repeat(1 + (number % 20))}`,
    )
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { title, text } = JSON.parse(line) as { title?: string; text?: string }
    texts.push([title, text].filter(Boolean).join(' ').slice(0, 2000))
  }
  return texts
}
