import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, mention, score } from '../../../test/mentions.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { useWorld } from '../../../test/use-world.ts'
import { accepted, type TestWorkspace } from '../../../test/world.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import type { Mail } from '../../kernel/mail.ts'
import { sql } from '../../store/database.ts'
import { updateKeyword } from '../keywords/update-keyword.ts'
import { sendMails } from '../mail/send-all.suite.ts'
import { setBalance } from '../wallet/wallet-setting.suite.ts'
import { watchWallets } from '../wallet/watch-wallets.ts'
import { mailOwners } from './mail-owners.ts'

const sent: Mail[] = []
let workspace: TestWorkspace
let owners: Person[]
const world = useWorld(() => {
  const send = async (mail: Mail) => {
    sent.push(mail)
    return { outcome: 'sent' as const }
  }
  return { mail: { send, close: async () => undefined } }
})

let made = 0
beforeEach(async () => {
  made += 1
  workspace = await world.workspace(`Rockets ${made}`)
  owners = [
    await createPerson(world.services, workspace.workspaceId, 'owner'),
    await createPerson(world.services, workspace.workspaceId, 'owner'),
  ]
  for (const role of ['admin', 'member'] as const) await createPerson(world.services, workspace.workspaceId, role)
})

/** What is sent now, by several processes at once. */
async function mails(): Promise<Mail[]> {
  sent.length = 0
  await Promise.all([mailOwners(world.services), mailOwners(world.services)])
  await sendMails({ ...world.services, log: silentLog })
  return sent
}

const waiting = () => world.db.query(sql`select from owner_notice where mailed_at is null`)

async function cap(term: string): Promise<void> {
  await mention(world, await makeKeyword(workspace, { term, cap: { mentions: 1 } }))
}

test('every owner is told that the balance is low, once a credit, and nobody else', async () => {
  const keyword = await makeKeyword(workspace)
  await setBalance(world, workspace, 3400)
  for (let times = 0; times < 2; times += 1) {
    await score(world, [await mention(world, keyword)])
    await watchWallets(world.services)
  }
  const told = await mails()
  expect(told.map(({ to }) => to).sort()).toEqual(owners.map(({ email }) => email).sort())
  expect(told[0]!.subject).toBe(`The balance of “Rockets ${made}” on Earshot is low`)
  expect(told[0]!.text).toContain(
    `$1.13 are left in “Rockets ${made}” on Earshot. A day of its keywords costs $0.17, and mentions come on top.`,
  )
  expect(told[0]!.text.split('\n')).toContain('https://earshot.test/docs/')
  expect(told[0]!.text).toContain('top up with POST /v1/billing/top-ups')
  expect(await mails()).toEqual([])
  expect(await waiting()).toEqual([])
})

test('they are told that tracking is paused, and what it takes to go on', async () => {
  for (let count = 0; count < 3; count += 1) await makeKeyword(workspace)
  await setBalance(world, workspace, 0)
  await watchWallets(world.services)
  const told = await mails()
  expect(told.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 2 }, () => `Tracking is paused in “Rockets ${made}” on Earshot`),
  )
  expect(told[0]!.text).toContain('is $0.00, which does not cover another day. All of its 3 keywords have stopped')
  expect(told[0]!.text).toContain('a day of all keywords, which is $0.50.\n\nTop up with POST /v1/billing/top-ups')
})

test('keywords at their limit are told of together, once a day at most, and only those that are still stopped', async () => {
  await cap('first')
  const told = await mails()
  expect(told).toHaveLength(2)
  expect(told[0]!.subject).toBe(`A keyword has reached the monthly limit in “Rockets ${made}” on Earshot`)
  expect(told[0]!.text).toContain('- “first”: 1 mention\n\nMatching resumes on 2026-12-01.')
  for (let count = 0; count < 12; count += 1) await cap(`more ${count}`)
  const freed = await makeKeyword(workspace, { term: 'freed', cap: { mentions: 1 } })
  await mention(world, freed)
  accepted(await updateKeyword(workspace, freed.uuid, { cap: null }))
  await world.clock.advance(DAY_MS - MINUTE_MS)
  expect(await mails()).toEqual([])
  await world.clock.advance(MINUTE_MS)
  const later = await mails()
  expect(later.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 2 }, () => `12 keywords have reached the monthly limit in “Rockets ${made}” on Earshot`),
  )
  expect(later[0]!.text).toContain('- “more 9”: 1 mention\n- and 2 more\n')
  expect(later[0]!.text).not.toContain('freed')
})

test('names of workspaces and terms lead nobody anywhere', async () => {
  workspace = await world.workspace('Win now https://evil.example/')
  owners = [await createPerson(world.services, workspace.workspaceId, 'owner')]
  await cap('https://evil.example/x')
  const [mail] = await mails()
  expect(mail!.text.match(/https?:\/\/\S+/g)).toEqual(['https://earshot.test/docs/'])
  expect(mail!.subject).not.toMatch(/:\/\/|evil\.example/)
})

test('of two processes one tells of keywords at their limit, and what comes meanwhile waits for a day', async () => {
  await cap('first')
  let other: Promise<number> | undefined
  const transaction: typeof world.db.transaction = (work) =>
    world.db.transaction(async (tx) => {
      const result = await work(tx)
      if (other === undefined) {
        // The other begins before this one has committed, and finds what this one has not seen.
        await cap('second')
        let over = false
        other = mailOwners(world.services).finally(() => {
          over = true
        })
        while (!over && (await waitingForLock()) === 0);
      }
      return result
    })
  await mailOwners({ ...world.services, db: { ...world.db, transaction } })
  await other
  const told = await mails()
  expect(told.map(({ to }) => to).sort()).toEqual(owners.map(({ email }) => email).sort())
  expect(told[0]!.text).not.toContain('second')
})

async function waitingForLock(): Promise<number> {
  const rows = await world.db.query(sql`
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid where a.datname = current_database()
      and l.locktype = 'advisory' and not l.granted`)
  return rows.length
}

test('each mail says how it is done, and where that is described', async () => {
  await cap('first')
  const [capped] = await mails()
  expect(capped!.text).toContain('with PATCH /v1/keywords/{id} or the tool update_keyword')
  expect(capped!.text.split('\n')).toContain('https://earshot.test/docs/')
  expect(capped!.text).not.toMatch(/\bhere\b/)
})

test('without a mail server nothing is queued, and what is a day old is forgotten and counted in the log', async () => {
  const silent = () => mailOwners({ ...world.services, mail: null })
  // What other tests have left is a day old by then.
  await world.clock.advance(DAY_MS)
  await silent()
  await cap('silent')
  await world.clock.advance(DAY_MS - MINUTE_MS)
  expect(await silent()).toBe(0)
  expect(await waiting()).toHaveLength(1)
  await world.clock.advance(MINUTE_MS)
  expect(await silent()).toBe(1)
  expect(await waiting()).toEqual([])
  expect(world.logged.at(-1)).toMatchObject({ level: 'warn', notices: 1 })
  expect(await mails()).toEqual([])
})

test('what was kept without a mail server is sent once there is one', async () => {
  await cap('kept')
  await mailOwners({ ...world.services, mail: null })
  expect(await mails()).toHaveLength(2)
})
