import { readConfirm, readUnsubscribe } from '../../commands/channels/email/links.ts'
import { openState } from '../../commands/channels/slack/journey-state.ts'
import { findMentionOfTeam } from '../../commands/channels/slack/take-action.ts'
import type { Services } from '../../commands/writing.ts'
import { foldEmail } from '../../domain/account/account.ts'
import { invitationIn } from '../../domain/member/invitation.ts'
import { fromId, type Uuid } from '../../kernel/ids.ts'
import { SECRET_KINDS } from '../../kernel/secrets.ts'
import { holdsPerson, holdsSecret, holdsWorkspace } from '../../queries/cells/holds.ts'
import { findClient } from '../../queries/oauth/find-client.ts'
import { isFeedOf } from '../../queries/views/read-feed.ts'
import type { Mark } from './contract.ts'

type Holds = (services: Services, text: string) => Promise<boolean>

const HOLDS: Record<Mark['kind'], Holds> = {
  secret: async ({ db }, text) => {
    const [, prefix, hex] = /^([a-z]{3}) ([0-9a-f]{64})$/.exec(text) ?? []
    const kind = SECRET_KINDS.find((item) => item === prefix)
    return kind !== undefined && holdsSecret(db, kind, Buffer.from(hex!, 'hex'))
  },
  client: async ({ db }, id) => (await findClient(db, id))?.freshUntil === null,
  person: async ({ db }, email) => {
    const folded = foldEmail(email)
    return folded !== null && holdsPerson(db, folded)
  },
  invitation: (services, token) => holdsOwn(services, invitationIn(services.sealer, token)),
  mail_link: (services, token) => holdsOwn(services, readUnsubscribe(services, token) ?? readConfirm(services, token)),
  slack_state: (services, state) => holdsOwn(services, openState(services, state)),
  slack_mention: async (services, text) => {
    const [teamId = '', mention = ''] = text.split(' ')
    return (await findMentionOfTeam(services.db, teamId, mention)) !== null
  },
  feed: async (services, text) => {
    const [view = '', token = ''] = text.split(' ')
    const id = fromId('vw', view)
    return id !== null && isFeedOf(services, id, token)
  },
}

/** Cells may share the key that seals tokens, so a token that opens is ours only with its workspace. */
async function holdsOwn({ db }: Services, sealed: { workspaceId: Uuid } | null): Promise<boolean> {
  return sealed !== null && holdsWorkspace(db, sealed.workspaceId)
}

export async function holdsMark(services: Services, { kind, text }: Mark): Promise<boolean> {
  // PostgreSQL refuses NUL in text, and no mark has one.
  return !text.includes('\0') && HOLDS[kind](services, text)
}
