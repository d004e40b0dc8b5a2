import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPerson, type Person } from '../../test/people.ts'
import { sampleRequest } from '../../test/requests.ts'
import { createSlackStandIn } from '../../test/stand-ins/slack.ts'
import { createStripeStandIn } from '../../test/stand-ins/stripe.ts'
import { useResource, useWorkspace, useWorld } from '../../test/use-world.ts'
import { connect } from '../commands/channels/slack/slack.suite.ts'
import type { AuditKind } from '../domain/audit/kinds.ts'
import { MINUTE_MS } from '../kernel/clock.ts'
import { sql } from '../store/database.ts'
import { CATALOGUE } from './catalogue.ts'

/** What the security log tells of each operation that matters to it, once for every time that it is done. */
const AUDITED: Readonly<Record<string, AuditKind>> = {
  'create-api-key': 'api_key.created',
  'revoke-api-key': 'api_key.revoked',
  'delete-group': 'group.deleted',
  'update-filters': 'filters.updated',
  'delete-keyword': 'keyword.deleted',
  'export-mentions-json': 'export.started',
  'export-mentions-csv': 'export.started',
  'export-people-csv': 'export.started',
  'export-workspace': 'export.started',
  'rotate-feed-token': 'feed.rotated',
  'update-member': 'member.role_changed',
  'remove-member': 'member.removed',
  'invite-member': 'member.invited',
  'withdraw-invitation': 'invitation.withdrawn',
  'create-channel': 'channel.created',
  'update-channel': 'channel.updated',
  'delete-channel': 'channel.deleted',
  'rotate-secret': 'channel.secret_rotated',
  'remove-suppression': 'suppression.removed',
  'disconnect-slack': 'slack.disconnected',
  'create-top-up': 'billing.top_up_started',
  'update-auto-recharge': 'billing.auto_recharge_changed',
  'change-filter-entries': 'filters.updated',
  'update-workspace': 'workspace.renamed',
  'update-retention': 'workspace.retention_changed',
  'delete-workspace': 'workspace.deletion_scheduled',
  'restore-workspace': 'workspace.restored',
}

/** Writes that the log says nothing of, and why. */
const UNTOLD: Readonly<Record<string, string>> = {
  'create-group': 'The shape of the workspace; nothing leaves it and nobody gains access.',
  'update-group': 'The shape of the workspace; nothing leaves it and nobody gains access.',
  'update-company': 'What the classifier knows.',
  'create-keyword': 'What is collected; the ledger tells what it costs.',
  'create-keywords': 'What is collected; the ledger tells what it costs.',
  'create-named-source': 'What is collected, as with keywords; every member sees the list.',
  'delete-named-source': 'What is collected, as with keywords; no mention goes with it.',
  'update-keyword': 'What is collected; the ledger tells what it costs.',
  'explain-keyword': 'It changes nothing.',
  'update-mention': 'Daily work, with a list of changes of its own.',
  'update-mentions': 'Daily work, with a list of changes of its own.',
  'rescore-mention': 'Daily work.',
  'create-view': 'A saved filter.',
  'update-view': 'A saved filter.',
  'delete-view': 'A saved filter; its feed ends with it.',
  'search-platforms': 'It changes nothing.',
  'update-person': 'Daily work.',
  'merge-person': 'Daily work.',
  'split-person': 'Daily work.',
  'create-segment': 'A saved filter.',
  'update-segment': 'A saved filter.',
  'delete-segment': 'A saved filter.',
  'dismiss-attention': 'Daily work.',
  'dismiss-attention-items': 'Daily work.',
  'create-confirmation': 'Asks somebody once more; what changes is changed by them.',
  'connect-channel': 'Makes a link; the chat that uses it is told of.',
  'create-inspection': 'An inbox for a day, which only the workspace reads.',
  'test-channel': 'Sends a sample to a channel whose making is told of.',
  'set-presets': 'Which rules a channel has; where they lead is told of with the channel.',
  'connect-slack': 'Makes a link; the team that uses it is told of.',
  'create-alert': 'What goes to channels, which are told of.',
  'update-alert': 'What goes to channels, which are told of.',
  'delete-alert': 'What goes to channels, which are told of.',
  'preview-alert': 'It changes nothing.',
  'mute-alert-authors': 'What goes to channels, which are told of.',
  'unmute-alert-authors': 'What goes to channels, which are told of.',
  'run-alert': 'What goes to channels, which are told of.',
  'test-alert': 'Sends a sample to channels whose making is told of.',
  'retry-delivery': 'Sends again what was sent; the log of deliveries tells.',
  'replay-delivery': 'Sends again what was sent; the log of deliveries tells.',
}

let owner: Person
const stripe = useResource(createStripeStandIn)
const slack = useResource(createSlackStandIn)
const world = useWorld(() => ({ payments: stripe.payments, slack: slack.slack }))
const acme = useWorkspace(world, 'Acme')
beforeAll(() => connect(world, slack, acme))
beforeEach(async () => {
  await world.clock.advance(MINUTE_MS)
  owner = await createPerson(world.services, acme.workspaceId, 'owner')
})

const WRITES = CATALOGUE.filter(({ access, audits }) => access === 'write' || audits)

test('the log tells of every write, or there is a reason why it does not', () => {
  const told = [...Object.keys(AUDITED), ...Object.keys(UNTOLD)]
  expect(told.sort(), 'name a new operation in AUDITED, and let its command write an entry, or in UNTOLD').toEqual(
    WRITES.map(({ id }) => id).sort(),
  )
})

/** Bodies of operations whose smallest request is none, or changes nothing, which is not told of. */
const BODIES: Readonly<Record<string, (who: Who) => object>> = {
  'update-member': () => ({ role: 'admin' }),
  'invite-member': (who) => ({ email: `${who.replace(' ', '-')}@people.example` }),
  'update-filters': (who) => ({ excludedTerms: [who] }),
  'change-filter-entries': (who) => ({ add: { excludedTerms: [`entry of ${who}`] } }),
  'update-workspace': (who) => ({ name: `Acme of ${who}` }),
  'update-retention': (who) => ({ mentionDays: 90 + who.length }),
  'create-channel': (who) => ({ kind: 'webhook', url: 'https://receiver.example/', label: who }),
}

/** What has to be so before an operation, done behind the service. */
const SCHEDULED: Readonly<Record<string, boolean>> = { 'delete-workspace': false, 'restore-workspace': true }

/** What the log tells of besides, because it comes with it: the app of a member who goes. */
const CONSEQUENCES: Readonly<Record<string, readonly AuditKind[]>> = { 'remove-member': ['app.ended'] }

type Who = 'a person' | 'an app' | 'a key'

describe.each(WRITES.filter(({ id }) => id in AUDITED))('$id', (operation) => {
  const asking = (['a person', 'an app', 'a key'] as const).filter((who) => who !== 'a key' || !operation.peopleOnly)

  test.each(asking)('leaves exactly one entry when %s does it, and none when it is refused', async (who) => {
    const sampled = await sampleRequest(operation, async (prefix) => (await acme.makeOne(prefix))!)
    const { method, path, body } = { ...sampled, body: BODIES[operation.id]?.(who) ?? sampled.body }
    if (operation.id in SCHEDULED) await scheduleDeletion(SCHEDULED[operation.id]!)
    const before = await entries()
    const refused = await acme.api(method, path, body, {
      key: operation.access === 'write' ? acme.readKey : 'ref_nobody',
    })
    expect([refused.status, (await entries()).length]).toEqual([
      operation.access === 'write' ? 403 : 401,
      before.length,
    ])

    const answer = await acme.api(method, path, body, await credential(who))
    expect([answer.status, answer.body?.error]).toEqual([operation.status, undefined])
    const added = (await entries()).filter(({ id }) => !before.some((entry) => entry.id === id))
    expect(added.map(({ kind }) => kind).sort()).toEqual(
      [AUDITED[operation.id], ...(CONSEQUENCES[operation.id] ?? [])].sort(),
    )
    const [told] = added.filter(({ kind }) => kind === AUDITED[operation.id])
    expect(told).toMatchObject({
      kind: AUDITED[operation.id],
      request_id: answer.headers.get('x-request-id'),
      address: '127.0.0.1',
      ...actor(who),
    })
    const shown = await acme.api('GET', '/v1/audit?limit=1', undefined, { key: owner.token })
    expect(added.map(({ kind }) => kind)).toContain(shown.body.data[0].kind)
    if (operation.id === 'disconnect-slack') await connect(world, slack, acme)
    if (operation.id in SCHEDULED) await scheduleDeletion(false)
  })
})

/** The workspace is named as the smallest request of its deletion names it. */
async function scheduleDeletion(scheduled: boolean): Promise<void> {
  const { path } = await sampleRequest(operationOf('delete-workspace'), async (prefix) => (await acme.makeOne(prefix))!)
  const name = new URL(path, world.origin).searchParams.get('name')
  await world.db.query(sql`
    update workspace set name = ${name}, deletes_at = ${scheduled ? new Date('2030-01-01') : null}
    where id = ${acme.workspaceId}`)
}

const operationOf = (id: string) => CATALOGUE.find((operation) => operation.id === id)!

interface Entry {
  id: string
  kind: string
}

function entries(): Promise<Entry[]> {
  return world.db.query<Entry>(sql`select * from audit_entry where workspace_id = ${acme.workspaceId}`)
}

async function credential(who: Who): Promise<{ key: string | null; headers?: Record<string, string> }> {
  if (who === 'a key') return { key: acme.writeKey }
  if (who === 'an app') return { key: owner.token }
  const cookie = `__Host-earshot_session=${owner.sessionSecret}`
  const page = await (await fetch(`${world.origin}/account`, { headers: { cookie } })).text()
  return {
    key: null,
    headers: {
      cookie,
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': /name="form_token" value="([^"]+)"/.exec(page)![1]!,
    },
  }
}

function actor(who: Who): object {
  if (who === 'a key') return { actor_kind: 'api_key', actor_name: 'write', client_id: null }
  return {
    actor_kind: 'person',
    actor_id: owner.userId,
    actor_email: owner.email,
    client_name: who === 'an app' ? 'A client' : null,
  }
}
