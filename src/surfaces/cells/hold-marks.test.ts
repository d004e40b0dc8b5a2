import { expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { unsubscribeLink } from '../../commands/channels/email/links.ts'
import { sealState } from '../../commands/channels/slack/journey-state.ts'
import { registerClient } from '../../commands/oauth/register-client.ts'
import { linkOf } from '../../domain/member/invitation.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { newSecret, secretOf } from '../../kernel/secrets.ts'
import { sql } from '../../store/database.ts'
import { type Mark, markOfSecret } from './contract.ts'
import { holdsMark } from './hold-marks.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const holds = (kind: Mark['kind'], text: string) => holdsMark(world.services, { kind, text })
const holdsSecret = (text: string) => holdsMark(world.services, markOfSecret(secretOf(text)!))
const lastPart = (url: string, before: RegExp) => url.split(before).at(-1)!

/** What is sealed for a workspace, by kind. */
function sealed(workspaceId: Uuid): Partial<Record<Mark['kind'], string>> {
  const id = newUuid(world.clock.now())
  const subscription = { workspaceId, channelId: id, email: 'ada@example.com' }
  return {
    invitation: lastPart(linkOf(world.services, { workspaceId, id }), /\//),
    mail_link: lastPart(unsubscribeLink(world.services, subscription), /token=/),
    slack_state: sealState(world.services, { workspaceId, id }),
  }
}

test('secrets are known by their hash', async () => {
  const person = await createPerson(world.services, acme.workspaceId, 'owner')
  for (const text of [acme.readKey, person.token, person.sessionSecret]) expect(await holdsSecret(text)).toBe(true)
  for (const kind of ['ref', 'eat', 'ert', 'eac', 'ses', 'lnk', 'ein', 'efd', 'ecs'] as const)
    expect(await holdsSecret(newSecret(kind).text), kind).toBe(false)
})

test('people are known by their address, however it is written', async () => {
  const { email } = await createPerson(world.services, acme.workspaceId, 'owner')
  expect([await holds('person', email), await holds('person', email.toUpperCase())]).toEqual([true, true])
  for (const text of ['nobody@example.com', 'no address', 'a\0b@example.com'])
    expect(await holds('person', text)).toBe(false)
})

test('registered clients are known, and cached documents are not', async () => {
  const { id } = await registerClient(world.services, {
    ...{ name: 'Robot', redirectUris: ['https://a.example/cb'], homeUrl: null, authMethod: 'none', keys: null },
  })
  expect([await holds('client', id), await holds('client', 'other')]).toEqual([true, false])
  await world.db.query(sql`update oauth_client set fresh_until = now() where id = ${id}`)
  expect(await holds('client', id)).toBe(false)
})

test('what is sealed is ours with its workspace only', async () => {
  const [ours, others] = [sealed(acme.workspaceId), sealed(newUuid(world.clock.now()))]
  for (const kind of ['invitation', 'mail_link', 'slack_state'] as const) {
    expect(await holds(kind, ours[kind]!), kind).toBe(true)
    expect(await holds(kind, others[kind]!), kind).toBe(false)
    expect(await holds(kind, 'v1.altered'), kind).toBe(false)
  }
})

test('a feed is known by its view and token', async () => {
  const { body } = await acme.api('POST', '/v1/views', { name: 'Ours' })
  const token = lastPart(body.feedUrl, /token=/)
  expect(await holds('feed', `${body.id} ${token}`)).toBe(true)
  for (const text of [`${body.id} ${newSecret('efd').text}`, `vw_1 ${token}`, body.id])
    expect(await holds('feed', text)).toBe(false)
})

test('a mention is known to a team that is connected', async () => {
  const mention = (await acme.makeOne('mtn'))!
  expect(await holds('slack_mention', `T1 ${mention}`)).toBe(false)
  await world.db.query(sql`
    insert into slack_connection (workspace_id, team_id, team_name, scopes, token_sealed, token_hash, connected_at,
      connected_by_kind, connected_by_id, connected_by_name)
    values (${acme.workspaceId}, 'T1', 'Team', '{}', '', '', now(), 'person', ${acme.workspaceId}, '')`)
  expect(await holds('slack_mention', `T1 ${mention}`)).toBe(true)
  for (const text of [`T2 ${mention}`, 'T1 mtn_other', 'T1']) expect(await holds('slack_mention', text)).toBe(false)
})

test('nothing is held of a workspace whose import is not done', async () => {
  const other = await world.workspace('Arriving')
  await world.admin(`update workspace set importing = true where id = '${other.workspaceId}'`)
  expect(await holdsSecret(other.readKey)).toBe(false)
  expect(await holds('invitation', sealed(other.workspaceId).invitation!)).toBe(false)
})
