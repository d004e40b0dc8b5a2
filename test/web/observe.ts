import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { reportViolations } from './in-page.ts'

/**
 * Observes all pages that are opened in the context from now on. Returns the growing list of what a person must never
 * meet: console lines, page errors, policy violations, requests to other hosts, and answers of 500 and above.
 */
export async function observe(context: BrowserContext, origin: string): Promise<readonly string[]> {
  const lines: string[] = []
  await context.addInitScript(reportViolations)
  context.on('page', (page) => observePage(page, lines))
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (asked !== origin && !['data:', 'blob:'].includes(protocol)) lines.push(`request elsewhere: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500) lines.push(`answer ${response.status()}: ${response.url()}`)
  })
  return lines
}

/** Fails with everything that was observed, except what is expected. */
export function expectNothing(observed: readonly string[], expected: readonly RegExp[] = []): void {
  expect(observed.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
}

function observePage(page: Page, lines: string[]): void {
  page.on('console', (message) => {
    const { url, lineNumber } = message.location()
    lines.push(`console ${message.type()}: ${message.text()} (${url}:${lineNumber})`)
  })
  page.on('pageerror', (error) => lines.push(`page error: ${error.stack ?? error.message}`))
  page.on('crash', () => lines.push(`the page crashed: ${page.url()}`))
}
