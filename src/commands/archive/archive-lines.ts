import { ArchiveProblem } from './archive-problem.ts'

/** The lines of a text in chunks. Throws ArchiveProblem for a line of more than `longest` characters. */
export async function* linesOf(chunks: AsyncIterable<string>, longest: number): AsyncIterable<string> {
  let parts: string[] = []
  let [length, number] = [0, 1]
  for await (const chunk of chunks) {
    // Texts of posts may hold line separators of Unicode, so only line feeds separate lines.
    const [first = '', ...others] = chunk.split('\n')
    for (const [place, part] of [first, ...others].entries()) {
      if (place > 0) {
        yield parts.join('')
        parts = []
        length = 0
        number += 1
      }
      parts.push(part)
      length += part.length
      if (length > longest) throw new ArchiveProblem(`Line ${number} has more than ${longest} characters.`)
    }
  }
  if (length > 0) yield parts.join('')
}
