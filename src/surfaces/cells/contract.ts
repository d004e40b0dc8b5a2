import { z } from 'zod'
import type { SecretKind } from '../../kernel/secrets.ts'

/** Requests of a door to its cells. The door passes no request of anybody else to these addresses. */
export const CELL_PATHS = {
  find: '/internal/cells/find',
  client: '/internal/cells/client',
  introduce: '/internal/cells/introduce',
} as const

/**
 * What a request carries that says where it belongs: a secret by kind and hash, an OAuth client's id, a person's e-mail
 * address, sealed tokens of links, a team of Slack with a mention, and a view with the token of its feed.
 */
export const MARK_KINDS = [
  'secret',
  'client',
  'person',
  'invitation',
  'mail_link',
  'slack_state',
  'slack_mention',
  'feed',
] as const

export interface Mark {
  kind: (typeof MARK_KINDS)[number]
  text: string
}

export function markOfSecret({ kind, hash }: { kind: SecretKind; hash: Buffer }): Mark {
  return { kind: 'secret', text: `${kind} ${hash.toString('hex')}` }
}

/** Longer texts are no marks; sealed tokens of links have at most a few hundred characters. */
export const MARK_MAX = 2000
export const MARKS_MAX = 20

export const findRequest = z.strictObject({
  marks: z.array(z.strictObject({ kind: z.enum(MARK_KINDS), text: z.string().min(1).max(MARK_MAX) })).max(MARKS_MAX),
})

/** In the order of the marks. */
export const findAnswer = z.object({
  version: z.string(),
  publicUrl: z.string(),
  found: z.array(z.boolean()),
})

export const clientRequest = z.strictObject({ id: z.string().min(1).max(MARK_MAX) })

/** A registered client, as one cell stores it and another takes it over. */
export const clientRecord = z.strictObject({
  id: z.string().min(1).max(MARK_MAX),
  name: z.string(),
  redirectUris: z.array(z.string()),
  homeUrl: z.string().nullable(),
  authMethod: z.enum(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']),
  keys: z.record(z.string(), z.unknown()).nullable(),
  /** In hexadecimal. */
  secretHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
})

export const clientAnswer = z.object({ client: clientRecord.nullable() })
