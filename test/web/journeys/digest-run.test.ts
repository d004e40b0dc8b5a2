import { expect } from 'vitest'
import { test } from '../chromium.ts'
import { useInstallation } from '../installation.ts'
import { pressNamed, seeText } from '../keys.ts'
import { createAs, receiveMentions, signUp } from './signed-up.ts'

const { installation, newWindow } = useInstallation()

const POSTS = [
  'Which kettle is better, the Northlight or the Southwind? My Northlight leaks.',
  'My Northlight kettle leaks after two weeks, and nobody answers my mails.',
]

test('a digest is made a rule, sent before its time, read in the log, and not sent twice', async () => {
  const { page, open } = await newWindow()
  await open('/')
  await signUp(page)
  const { receiver, jetstream } = installation
  const create = await createAs(page)
  await create('/v1/channels', { kind: 'webhook', url: receiver.url, label: 'Morning desk' })

  await open('/alerts/new')
  await seeText(page, 'Nothing in the last 7 days.')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kettles of the day')
  await page.getByRole('radio', { name: 'Every day' }).check()
  await page.getByLabel('Time of day').fill('07:30')
  await page.getByRole('checkbox', { name: 'Morning desk' }).check()
  await pressNamed(page, 'button', 'Create the rule')
  await seeText(page, 'Every day at 07:30')
  // A digest tells what was scored since its rule exists.
  await receiveMentions(page, jetstream, POSTS)
  expect(receiver.requests).toEqual([])

  await pressNamed(page, 'button', 'Send the digest now')
  await seeText(page, 'The digest with 2 mentions is sent')
  const digest = receiver.requests[0]!.body
  expect(digest.data.counts).toMatchObject({ matched: 2, relevant: 2 })
  expect(digest.data.top).toHaveLength(POSTS.length)

  await pressNamed(page, 'button', 'Send the digest now')
  await seeText(page, 'The last digest was sent already.')
  expect(receiver.requests).toHaveLength(1)

  await pressNamed(page, 'link', 'Open its deliveries')
  await seeText(page, 'Digest of Kettles of the day')
  await seeText(page, '1 delivery')
  await page.getByText('Digest of Kettles of the day').first().click()
  await seeText(page, 'Accepted at the first attempt.')
  await seeText(page, 'X-Mentions-Signature-V2')
})
