import type { Annotations } from '../../domain/person/person.ts'
import { type Platform, platformFromNumber } from '../../domain/post/platform.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** One author on one platform. */
export interface Account {
  id: Id<'aut'>
  platform: Platform
  name: string | null
  handle: string | null
  url: string | null
}

/** A person as callers see them: named as their first account is. */
export interface Person extends Account {
  avatarUrl: string | null
  /** The first account first. */
  accounts: Account[]
  reach: { followers: number | null; following: number | null; posts: number | null }
  stats: {
    mentions: number
    relevant: number
    sentiment: { positive: number; neutral: number; negative: number }
    firstSeenAt: string | null
    lastSeenAt: string | null
  }
  annotations: Annotations
}

interface PersonRow extends Annotations {
  id: Uuid
  followers: number | null
  mentions: number
  relevant: number
  positive: number
  neutral: number
  negative: number
  first_seen_at: Date | null
  last_seen_at: Date | null
  accounts: AccountRow[]
}

interface AccountRow {
  id: Uuid
  platform: number
  name: string | null
  handle: string | null
  url: string | null
  avatar_url: string | null
}

/** These people in this order; those who are gone are left out. */
export async function readPeople(reader: Reader, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Person[]> {
  if (ids.length === 0) return []
  const rows = await reader.query<PersonRow>(sql`
    select p.id, p.tags, p.notes, p.muted, p.followers, p.mentions, p.relevant, p.positive, p.neutral, p.negative, p.first_seen_at, p.last_seen_at,
      (select jsonb_agg(jsonb_build_object('id', a.id, 'platform', a.platform, 'name', a.name, 'handle', a.handle, 'url', a.url, 'avatar_url', a.avatar_url) order by a.id <> p.id, a.id)
        from account a where a.workspace_id = p.workspace_id and a.person_id = p.id) as accounts
    from unnest(${ids}::uuid[]) with ordinality as t (id, place) join person p on p.workspace_id = ${workspaceId} and p.id = t.id order by t.place`)
  return rows.map(personFromRow)
}

function personFromRow(row: PersonRow): Person {
  const first = row.accounts[0]!
  return {
    ...accountFromRow(first),
    id: toId('aut', row.id),
    avatarUrl: first.avatar_url,
    accounts: row.accounts.map(accountFromRow),
    // No platform tells of the people behind posts how many they follow or how much they write.
    reach: { followers: row.followers, following: null, posts: null },
    stats: {
      mentions: row.mentions,
      relevant: row.relevant,
      sentiment: { positive: row.positive, neutral: row.neutral, negative: row.negative },
      firstSeenAt: row.first_seen_at?.toISOString() ?? null,
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    },
    annotations: { tags: row.tags, notes: row.notes, muted: row.muted },
  }
}

function accountFromRow({ id, platform, name, handle, url }: AccountRow): Account {
  return { id: toId('aut', id), platform: platformFromNumber(platform), name, handle, url }
}
