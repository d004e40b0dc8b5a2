import { afterEach, expect, test, vi } from 'vitest'
import { saveLanguage, setSession } from './client.ts'
import { NO_ANSWER } from './errors.ts'
import { words } from './words.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  setSession('', () => undefined)
})

/** Answers as a server does, or as none does when the request was given up. */
function answerWith(answer: () => Response): void {
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    signal?.throwIfAborted()
    return answer()
  })
}

test('a language that no server takes is an error in words', async () => {
  answerWith(() => {
    throw new TypeError('Failed to fetch')
  })
  await expect(saveLanguage('de')).rejects.toMatchObject({ status: 0, code: NO_ANSWER, message: words.unreachable })
})

test('saving a language does not wait for ever', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
  answerWith(() => new Response(null, { status: 204 }))
  await expect(saveLanguage('de')).rejects.toMatchObject({ status: 0, message: words.unreachable })
})

test.each([
  [401, 1],
  [403, 1],
  [500, 0],
])('an answer of %i to a language doubts the session %i times', async (status, times) => {
  const doubt = vi.fn()
  setSession('token', doubt)
  answerWith(() => new Response('{}', { status }))
  await expect(saveLanguage('de')).rejects.toMatchObject({ status })
  expect(doubt).toHaveBeenCalledTimes(times)
})
