import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { collectedLog } from '../../test/stand-ins/collected-log.ts'
import { useFreshWorld } from '../../test/use-world.ts'
import { createSealer, type Sealer } from '../kernel/sealing.ts'
import { StartError } from '../kernel/start-error.ts'
import { sql } from '../store/database.ts'
import type { Installation } from './installation.ts'
import { adoptKey, checkKey } from './key-check.ts'

const world = useFreshWorld()

const newSealer = (): Sealer => createSealer(randomBytes(32).toString('hex'))

/** As far as an installation is looked at here. */
function installation(sealer: Sealer, alone: boolean) {
  const { log, lines } = collectedLog()
  return { lines, installation: { alone, log, services: { ...world.services, sealer } } as unknown as Installation }
}

test('a service that has its database to itself goes on with another key, and says what that means', async () => {
  const [old, other] = [newSealer(), newSealer()]
  await checkKey(installation(old, true).installation)
  const changed = installation(other, true)
  await checkKey(changed.installation)
  expect(changed.lines).toMatchObject([{ level: 'error', event: 'service.key_changed' }])
  const back = installation(old, true)
  await checkKey(back.installation)
  expect(back.lines).toEqual([])
})

test('the key of one process counts for all, whoever is first', async () => {
  const processes = [newSealer(), newSealer(), newSealer()].map((sealer) => installation(sealer, false).installation)
  const started = await Promise.allSettled(processes.map((process) => checkKey(process)))
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const promiseSettledResult of started)
    if (promiseSettledResult.status === 'rejected') expect(promiseSettledResult.reason).toBeInstanceOf(StartError)
})

test('a key that was adopted is the one from then on', async () => {
  const [old, other] = [installation(newSealer(), false).installation, installation(newSealer(), false).installation]
  await checkKey(old)
  await adoptKey(other)
  await checkKey(other)
  await expect(checkKey(old)).rejects.toThrow(StartError)
  expect(await world.db.query(sql`select 1 from key_check`)).toHaveLength(1)
})
