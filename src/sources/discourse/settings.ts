import { z } from 'zod'
import { listOf } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'
import { forumAddress } from './address.ts'

const MOST_FORUMS = 100

const forums = z.string().transform((text, context) => {
  const named = listOf(text).map(forumAddress)
  const message = forumsProblem(named)
  if (message === null) return named.filter((address) => address !== null)
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

function forumsProblem(named: readonly (string | null)[]): string | null {
  if (named.length === 0 || named.includes(null)) return 'must be http or https addresses separated by commas'
  if (new Set(named).size < named.length) return 'names a forum twice'
  return named.length > MOST_FORUMS ? `names more than ${MOST_FORUMS} forums` : null
}

const keys = z.string().transform((text, context) => {
  const pairs = listOf(text).map((pair) => pair.match(/^([a-z0-9.:-]{1,253})=([\x21-\x7e]{1,500})$/i))
  if (pairs.length > 0 && pairs.every((pair) => pair !== null))
    return new Map(pairs.map((pair) => [pair?.[1]?.toLowerCase() ?? '', pair?.[2] ?? '']))
  context.addIssue({ code: 'custom', message: 'must be host=key pairs separated by commas' })
  return z.NEVER
})

export const SETTINGS = {
  DISCOURSE_FORUMS: {
    meaning: 'Discourse forums that are read for every workspace, besides those that workspaces name.',
    form: 'addresses separated by commas',
    fallback: 'none',
    schema: forums,
  },
  DISCOURSE_KEYS: {
    meaning: 'User API keys for forums of DISCOURSE_FORUMS that show their posts to members only.',
    form: 'host=key pairs separated by commas',
    fallback: 'forums are read as a visitor',
    secret: true,
    schema: keys,
  },
} satisfies SettingsTable
