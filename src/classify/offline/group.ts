import { FAMILIES, type Family } from './family.ts'
import { KIND, lowerOf, type Tokens } from './tokens.ts'

/**
 * Groups of texts that have weights of their own beside the common ones. The first has none; `chat` is what people on social
 * platforms write of themselves, to nobody and of nothing that has a name. The order is part of the model's format.
 */
export const GROUPS = [...FAMILIES, 'chat'] as const

/** The place of a text's group in `GROUPS`. */
export function groupOf(family: Family, tokens: Tokens): number {
  return family === 'social' && isChat(tokens) ? CHAT : FAMILIES.indexOf(family)
}

/** Without handle, hashtag, address, or a word that is written as a name within a sentence. */
function isChat({ text, count, kind, start, end, shouted }: Tokens): boolean {
  let begins = true
  for (let at = 0; at < count; at += 1) {
    const one = kind[at]!
    if (one === KIND.handle || one === KIND.hashtag || one === KIND.address) return false
    if (one === KIND.word && !begins && shouted[at] === 0 && end[at]! - start[at]! >= SHORTEST_NAME) {
      const code = text.charCodeAt(start[at]!)
      if (lowerOf(code) !== code) return false
    }
    begins = one === KIND.stop || one === KIND.question || one === KIND.exclamation
  }
  return true
}

const CHAT = GROUPS.indexOf('chat')
/** "I" is no name, and "OK" is none either. */
const SHORTEST_NAME = 3
