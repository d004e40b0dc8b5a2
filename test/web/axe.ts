import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { axeFindings } from './in-page.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that depend on colours, which a theme changes. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const

/** Violations of WCAG 2.2 AA, a line for each element. Checks every rule, or those named. */
export async function axeViolations(page: Page, rules: readonly string[] | null = null): Promise<string[]> {
  // As text of the debugger, which the content security policy of the page does not hold back.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${SOURCE}; undefined`)
  const runOnly = rules === null ? { type: 'tag', values: LEVELS } : { type: 'rule', values: [...rules] }
  return page.evaluate(axeFindings, { runOnly, resultTypes: ['violations'] })
}
