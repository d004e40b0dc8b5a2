import type { Channel, ChannelChange } from '../api/channels.ts'
import { printHeaders, readHeaders } from './state.ts'

/** Settings as a form holds them; null for what the kind does not have. */
export interface ChannelDraft {
  label: string
  url: string | null
  headers: string | null
  emails: string[] | null
}

export function draftOf({ label, config }: Channel): ChannelDraft {
  return {
    label,
    url: 'url' in config ? config.url : null,
    headers: 'headers' in config ? printHeaders(config.headers) : null,
    emails: 'recipients' in config ? config.recipients.map(({ email }) => email) : null,
  }
}

/** What the form changes, and the line of the headers that cannot be read. An empty label is that of the kind. */
export function changeOf(
  former: ChannelDraft,
  draft: ChannelDraft,
): { change: ChannelChange; badHeader: string | null } {
  const change: ChannelChange = {}
  if (draft.label.trim() !== former.label) change.label = draft.label.trim() === '' ? null : draft.label.trim()
  if (draft.url !== null && draft.url.trim() !== former.url) change.url = draft.url.trim()
  if (draft.emails !== null && draft.emails.join() !== former.emails?.join()) change.emails = draft.emails
  if (draft.headers === null || draft.headers === former.headers) return { change, badHeader: null }
  const read = readHeaders(draft.headers)
  if ('badLine' in read) return { change, badHeader: read.badLine }
  return { change: { ...change, headers: read.headers }, badHeader: null }
}
