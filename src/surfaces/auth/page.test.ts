import { createHash } from 'node:crypto'
import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { html } from '../../kernel/markup.ts'
import { renderPage } from './page.ts'

const rendered = (more = {}) => renderPage({ title: 'A <title>', body: html`<p>Body</p>`, ...more })
const ruleOf = (policy: string | undefined, name: string) =>
  new RegExp(`(?:^|; )${name} ([^;]*)`).exec(policy ?? '')?.[1]

describe('a page', () => {
  test('allows nothing but its own style and forms to us', () => {
    const { html: text, headers } = rendered()
    const policy = headers['Content-Security-Policy']
    const style = new JSDOM(text).window.document.querySelector('style').textContent
    expect(ruleOf(policy, 'default-src')).toBe("'none'")
    expect(ruleOf(policy, 'style-src')).toBe(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(ruleOf(policy, 'form-action')).toBe("'self'")
    expect(ruleOf(policy, 'frame-ancestors')).toBe("'none'")
    expect(ruleOf(policy, 'base-uri')).toBe("'none'")
    expect(policy).not.toContain('unsafe')
  })

  test('is kept by nobody and tells where a form came from only to us', () => {
    expect(rendered().headers).toMatchObject({
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'Content-Type': 'text/html; charset=utf-8',
    })
  })

  test.each([
    ['https://client.example/callback?x=1', 'https://client.example'],
    ['https://client.example:8443/callback', 'https://client.example:8443'],
    ['http://127.0.0.1:3334/cb', 'http://127.0.0.1:3334'],
    // No origin with an IPv6 address can be written in a policy.
    ['http://[::1]:3334/cb', 'http:'],
    ['cursor://anysphere.cursor-mcp/oauth', 'cursor:'],
    ['com.example.app:/callback', 'com.example.app:'],
    ['https:', 'https:'],
  ])('whose form may lead to %s says so as %s', (target, source) => {
    expect(ruleOf(rendered({ formTargets: [target, target] }).headers['Content-Security-Policy'], 'form-action')).toBe(
      `'self' ${source}`,
    )
  })

  test('a target cannot smuggle another rule into the policy', () => {
    const policy = rendered({
      formTargets: ["https://client.example/;script-src 'unsafe-inline'", 'https://a.example/ *'],
    }).headers['Content-Security-Policy']
    expect(ruleOf(policy, 'form-action')).toBe("'self' https://client.example https://a.example")
    expect(policy).not.toContain('script-src')
  })

  test('has its title as heading and in the tab, escaped, and says its language', () => {
    const { document } = new JSDOM(rendered().html).window
    expect(document.title).toBe('A <title> · Earshot')
    expect(document.querySelector('h1').textContent).toBe('A <title>')
    expect(document.documentElement.lang).toBe('en')
    expect(document.querySelectorAll('script').length).toBe(0)
  })
})
