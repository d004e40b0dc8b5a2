import { expect } from 'vitest'
import { test } from '../chromium.ts'
import { useInstallation } from '../installation.ts'
import { pressKeys, SHOW_MS, seeNoText, seeText } from '../keys.ts'
import { shoot } from '../shoot.ts'
import { mentionsOf, receiveMentions, signUp } from './signed-up.ts'

const { installation, newWindow } = useInstallation()

/** The browser writes a line for every request that has no answer. */
const NO_ANSWER = [
  /ERR_CONNECTION_REFUSED/,
  /ERR_EMPTY_RESPONSE/,
  /ERR_CONNECTION_RESET/,
  /status of 50[0-9]/,
  /answer 503/,
]

const POSTS = [
  'Which kettle is better, the Northlight or the Southwind? My Northlight leaks.',
  'My Northlight kettle leaks after two weeks, and nobody answers my mails.',
  'The lid of my Northlight kettle broke after a week. How do I get a new one?',
]

test('the service restarts while somebody triages, and nothing is lost or sent twice', async () => {
  const { page, open } = await newWindow({ expected: NO_ANSWER })
  await open('/')
  await signUp(page)
  await receiveMentions(page, installation.jetstream, POSTS)
  await open('/inbox?status=open')
  await expect.poll(() => page.getByRole('row').count(), { timeout: SHOW_MS }).toBe(3)

  await installation.stop()
  await pressKeys(page, 'e i r')
  await seeText(page, '3 changes wait and are sent once the connection is back.')
  await pressKeys(page, '+')
  await seeText(page, '4 changes wait')
  await pressKeys(page, 'z')
  await seeText(page, '3 changes wait')
  await shoot(page, 'journey-restart-waiting')

  await installation.start()
  await seeNoText(page, 'once the connection is back')
  const after = await mentionsOf(page)
  expect(after.map(({ status }) => status).sort()).toEqual(['done', 'ignored', 'open'])
  for (const { id } of after) {
    const { data } = await (await page.request.get(`/v1/mentions/${id}/changes`)).json()
    expect(data).toHaveLength(1)
  }
  await pressKeys(page, 'z z z')
  await expect
    .poll(async () => (await mentionsOf(page)).map(({ status }) => status), { timeout: SHOW_MS })
    .toEqual(['open', 'open', 'open'])
})
