import { beforeEach, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { newId, toId } from '../../kernel/ids.ts'
import { getNamedWorkspace } from '../../queries/workspaces.ts'
import { sql } from '../../store/database.ts'
import { createWorkspace } from './create-workspace.ts'
import { findOrCreateWorkspace } from './find-or-create-workspace.ts'

const world = useWorld()
beforeEach(() => world.db.query(sql`delete from workspace`))

/** What the operator is answered for an id or a name: the name of the workspace, or why it is none. */
async function answerTo(org: string): Promise<unknown> {
  const answer = await findOrCreateWorkspace(world.services, org)
  return isRefusal(answer) ? [answer.code, answer.message] : [answer.made ? 'made' : 'found', answer.id]
}

test('a name that nobody has is made once, and found from then on', async () => {
  const made = await findOrCreateWorkspace(world.services, 'My company')
  expect(made).toMatchObject({ name: 'My company', members: 0, made: true })
  expect(await answerTo('My company')).toEqual(['found', !isRefusal(made) && made.id])
  expect(await world.db.query(sql`select kind from ledger_entry`)).toEqual([{ kind: 'signup_credit' }])
})

test('several who ask for a new name at once get one workspace', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => findOrCreateWorkspace(world.services, 'Sudden')))
  expect(answers.filter((answer) => !isRefusal(answer) && answer.made)).toHaveLength(1)
  expect(await world.db.query(sql`select 1 from workspace`)).toHaveLength(1)
})

test('a stranger who takes the name gets no key made for the operator, and the operator is told the id', async () => {
  const theirs = await createWorkspace(world.services, 'My company')
  await createPerson(world.services, theirs, 'owner')
  expect(await answerTo('My company')).toEqual(['conflict', expect.stringContaining(toId('org', theirs))])
  expect(await answerTo(toId('org', theirs))).toEqual(['found', theirs])
})

test('a name that several have opens none of them, and each is told with its id and how many belong to it', async () => {
  const [own, theirs] = [
    await createWorkspace(world.services, 'My company'),
    await createWorkspace(world.services, 'My company'),
  ]
  await createPerson(world.services, theirs, 'owner')
  const told = `Several workspaces are called My company. Give the id of one:\n  ${toId('org', own)}  nobody belongs to it\n  ${toId('org', theirs)}  1 member`
  expect(await answerTo('My company')).toEqual(['conflict', told])
  expect(await getNamedWorkspace(world.db, 'My company')).toMatchObject({ code: 'conflict', message: told })
  expect(await answerTo(toId('org', own))).toEqual(['found', own])
})

test('what looks like an id is never a name, and never makes a workspace', async () => {
  const own = await createWorkspace(world.services, 'My company')
  // The name is chosen so that the operator who gives an id could be led here.
  const trap = await createWorkspace(world.services, toId('org', own))
  expect(await answerTo(toId('org', own))).toEqual(['found', own])
  expect(await getNamedWorkspace(world.db, toId('org', own))).toMatchObject({ id: own })
  expect(await getNamedWorkspace(world.db, toId('org', trap))).toMatchObject({ id: trap })
  for (const org of ['org_', 'org_nonsense', newId('org', world.clock.now())])
    expect(await answerTo(org)).toEqual(['not_found', expect.stringContaining(org)])
  expect(await world.db.query(sql`select 1 from workspace`)).toHaveLength(2)
})

test('a credit or an invitation by name is for the only one that has it, whoever belongs to it', async () => {
  const acme = await createWorkspace(world.services, 'Acme')
  await createPerson(world.services, acme, 'owner')
  expect(await getNamedWorkspace(world.db, 'Acme')).toEqual({ id: acme, name: 'Acme', members: 1 })
  expect(await getNamedWorkspace(world.db, 'acme')).toMatchObject({ code: 'not_found' })
})
