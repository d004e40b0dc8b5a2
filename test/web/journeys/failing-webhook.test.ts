import { expect } from 'vitest'
import { until } from '../../until.ts'
import { test } from '../chromium.ts'
import { useInstallation } from '../installation.ts'
import { pressKeys, pressNamed, seeText } from '../keys.ts'
import { shoot } from '../shoot.ts'
import { createAs, signUp } from './signed-up.ts'

const { installation, newWindow } = useInstallation()

test('a webhook fails: find why, mend the receiver, retry, replay, and send all that failed again', async () => {
  const { page, open } = await newWindow()
  await open('/')
  await signUp(page)
  const create = await createAs(page)
  const { receiver, jetstream } = installation
  const channel = await create('/v1/channels', { kind: 'webhook', url: receiver.url, label: 'Support desk' })
  await create('/v1/alerts', { name: 'Everything relevant', channelIds: [channel['id']] })
  await create('/v1/keywords', { term: 'Northlight', kind: 'brand' })
  await until(() => jetstream.listeners > 0)

  receiver.status = 410
  await open('/deliveries')
  await seeText(page, 'Nothing was sent yet')
  jetstream.post('Which kettle is better, the Northlight or the Southwind? My Northlight leaks.')
  await seeText(page, 'status 410')
  await pressKeys(page, 'j')
  await seeText(page, 'it no longer wants deliveries at the address')
  await seeText(page, 'X-Mentions-Signature-V2')
  await shoot(page, 'journey-failing-1')

  receiver.status = 204
  await pressNamed(page, 'button', 'Retry')
  await seeText(page, 'Accepted at attempt 2.')
  await pressNamed(page, 'button', 'Attempt 1 Refused for good')
  await seeText(page, 'Answer: Status 410')
  await pressNamed(page, 'button', 'Replay')
  await pressNamed(page, 'button', 'Show the new delivery')
  await seeText(page, 'Accepted at the first attempt.')
  await shoot(page, 'journey-failing-2')
  const [refused, retried, replayed] = receiver.requests.map(({ body }) => body)
  expect(receiver.requests).toHaveLength(3)
  expect(retried.id).toBe(refused.id)
  expect(replayed.id).not.toBe(refused.id)
  expect(replayed.data.id).toBe(refused.data.id)

  receiver.status = 404
  jetstream.post('My Northlight kettle leaks, and nobody answers.')
  jetstream.post('The lid of my Northlight kettle broke after a week. How do I get a new one?')
  await open('/deliveries?status=failed')
  await seeText(page, '2 deliveries')
  receiver.status = 204
  await pressNamed(page, 'button', 'Send failed ones again')
  await seeText(page, '2 deliveries failed in this time.')
  await pressNamed(page, 'button', 'Send 2 deliveries again')
  await seeText(page, '2 deliveries are sent again.')
  await shoot(page, 'journey-failing-3')
  await page.getByRole('contentinfo').getByRole('button', { name: 'Close' }).click()
  await seeText(page, 'No delivery matches')
})
