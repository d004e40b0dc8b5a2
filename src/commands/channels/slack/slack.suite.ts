import { expect } from 'vitest'
import type { Posted, SignedRequest, SlackStandIn } from '../../../../test/stand-ins/slack.ts'
import type { TestWorkspace, World } from '../../../../test/world.ts'

export interface Page {
  status: number
  text: string
}

/** A person opens a URL of the service. */
export async function load(world: World, path: string, headers: Record<string, string> = {}): Promise<Page> {
  const reply = await fetch(`${world.origin}${path}`, { headers, redirect: 'manual' })
  return { status: reply.status, text: await reply.text() }
}

/** A person returns from Slack and confirms the question. */
export async function comeBack(world: World, path: string, headers: Record<string, string> = {}): Promise<Page> {
  const asked = await fetch(`${world.origin}${path}`, { headers, redirect: 'manual' })
  const text = await asked.text()
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name, value]): [string, string] => [name!, value!],
  )
  if (fields.length === 0) return { status: asked.status, text }
  const cookie = [headers['cookie'], asked.headers.get('set-cookie')?.split(';')[0]].filter(Boolean).join('; ')
  const form = { method: 'POST', body: new URLSearchParams(fields), headers: { ...headers, cookie } }
  const reply = await fetch(`${world.origin}${new URL(path, world.origin).pathname}`, form)
  return { status: reply.status, text: await reply.text() }
}

/** Returns the URL of the consent page. */
export async function connectUrl(workspace: TestWorkspace): Promise<string> {
  const { status, body } = await workspace.api('POST', '/v1/slack/connect')
  expect(status).toBe(200)
  return body.url
}

export async function connect(world: World, stand: SlackStandIn, workspace: TestWorkspace, team = 'T1'): Promise<void> {
  expect(await comeBack(world, stand.allow(await connectUrl(workspace), team))).toMatchObject({
    status: 200,
    text: expect.stringContaining(`Team ${team}`),
  })
}

export async function makeSlackChannel(workspace: TestWorkspace, change: object = {}): Promise<string> {
  const { status, body } = await workspace.api('POST', '/v1/channels', {
    kind: 'slack',
    channelId: 'C1',
    channelName: 'general',
    ...change,
  })
  expect([status, body.error]).toEqual([201, undefined])
  return body.id
}

/** The error of a test, or null. */
export async function tryChannel(workspace: TestWorkspace, id: string): Promise<string | null> {
  const { body } = await workspace.api('POST', `/v1/channels/${id}/test`)
  return body.outcomes?.[0]?.error ?? body.error?.code ?? null
}

export async function send(
  world: World,
  path: string,
  { body, headers }: SignedRequest,
): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${world.origin}/hooks/slack/${path}`, { method: 'POST', body, headers })
  return { status: reply.status, text: await reply.text() }
}

export function buttonsOf(message: Posted): { action_id: string; value?: string; url?: string }[] {
  return message.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
}
